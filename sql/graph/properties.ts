import { jsonMembers } from '../json/canonical.ts'
import { Refusal } from '../refusal.ts'
import type { Properties } from './ast.ts'

/** The members of a JSON object; one that is null is missing. Throws for a number that no double holds, and for half characters. */
export function propertiesIn(json: string): Properties {
  JSON.parse(json, (name, value) => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      throw new Refusal(`${JSON.stringify(name)} is a number that no double holds`)
    if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
      throw new Refusal(`${JSON.stringify(name)} holds half a surrogate pair, which is no Unicode text`)
    return value
  })
  const members = jsonMembers(json)
  if (members.has('')) throw new Refusal('a property has to have a name, got ""')
  return [...members].flatMap(([name, value]) => (value === 'null' ? [] : [[name, shortened(value)]]))
}

/** One number has one text, by which it is grouped and joined: 20.0 is 20, and 0.10 is 0.1. */
const shortened = (json: string): string => (/^-?\d+\.\d*0$/.test(json) ? json.replace(/\.?0+$/, '') : json)
