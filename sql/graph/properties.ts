import { Refusal } from '../../base/refusal.ts'
import { canonicalJson, jsonMembers } from '../json/canonical.ts'
import type { Properties } from './ast.ts'

/** The members of a JSON object; one that is null is missing. Throws for a number that no double holds, and for half characters. */
export function propertiesIn(json: string): Properties {
  if (delicate.test(json) || !json.isWellFormed()) refuseUnreadable(json)
  const members = jsonMembers(json)
  if (members.has('')) throw new Refusal('a property has to have a name, got ""')
  return [...members].flatMap(([name, value]) => (value === 'null' ? [] : [[name, shortened(value)]]))
}

/** Marks of a number that may be too large, or of half a character; other text may have them too. */
const delicate = /(?<!\d)\d{300}|[eE]\+?\d{2}|\\u[dD]/

function refuseUnreadable(json: string): void {
  JSON.parse(json, (name, value) => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      throw new Refusal(`${JSON.stringify(name)} is a number that no double holds`)
    if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
      throw new Refusal(`${JSON.stringify(name)} holds half a surrogate pair, which is no Unicode text`)
    return value
  })
}

/**
 * Numbers are grouped and joined by their text: 20.0 and 2e1 are 20, and 0.10 is 0.1. Numbers in arrays and objects, and
 * whole numbers beyond 2^53 with an exponent, stay as written.
 */
function shortened(json: string): string {
  if (!/^-?\d/.test(json)) return json
  if (/e/i.test(json)) return Number.isSafeInteger(Number(json)) ? String(Number(json)) : json
  if (!json.includes('.')) return json === '-0' ? '0' : json
  let end = json.length
  while (json.charAt(end - 1) === '0') end--
  if (json.charAt(end - 1) !== '.') return json.slice(0, end)
  const whole = json.slice(0, end - 1)
  return whole === '-0' ? '0' : canonicalJson(whole)
}
