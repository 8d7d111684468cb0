import { fault } from '../../base/faults.ts'
import { suggest } from '../../base/suggest.ts'
import { type Call, decisive } from './call.ts'

const decisiveNames = Object.keys(decisive)

/**
 * Refuses a parameter that decides about a change on a call that does not know it, or that is misspelt: the call would
 * do what its caller meant to try, or meant to be able to take back.
 */
export function refuseStray(query: Readonly<Record<string, unknown>>, call: Pick<Call, 'id' | 'query'>): void {
  const known = Object.keys(call.query ?? {})
  for (const [name, value] of Object.entries(query)) {
    if (known.includes(name) || (name === 'dry' && value === '0')) continue
    const meant = decisiveNames.find((each) => isLike(name, each))
    if (meant === undefined) continue
    const has = known.includes(meant)
      ? `; did you mean ${meant}?`
      : ', and would be passed over: this call does what it says'
    throw fault('invalid', `${name.slice(0, 40)} is no parameter of this call${has}`)
  }
}

/** The same letters in any order and case; of longer names one that is near. */
function isLike(name: string, known: string): boolean {
  const letters = (text: string): string => [...text.toLowerCase()].sort().join('')
  return (
    name.length < 64 && (letters(name) === letters(known) || (known.length > 4 && suggest(name, [known]) !== undefined))
  )
}
