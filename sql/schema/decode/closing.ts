import { z } from 'zod'
import { anything, text, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import type { Rule } from '../schema.ts'
import type { Scope } from './condition.ts'
import { decodeQuery, queryOnWire } from './query.ts'
import { seconds } from './seconds.ts'

/** As many candidates as a rule remembers of a key. */
const maxCount = 10_000
const count = wholeNumber(1, maxCount)

const entry = z.object({
  name: text.meta({ description: 'NUMT, DUR or cqry' }),
  val: anything
    .optional()
    .meta({ type: 'number', description: 'NUMT: joins that a row needs; DUR: seconds for the last NUMT of them' }),
  fqry: queryOnWire.optional().meta({ description: 'cqry: holds for the event that makes the row' }),
  opid: anything.optional().meta({ description: 'means nothing' }),
})

/** `cond` of a pattern. */
export const closingOnWire = z.array(entry).optional()

/** The demands on the joins of a pattern. */
export type Closing = Pick<Rule, 'count' | 'within_us' | 'closing'>

const known = ['NUMT', 'DUR', 'cqry'] as const

/** `cond`: each entry is optional, and there once. */
export function decodeClosing(object: WireObject, scope: Scope, isSingle: boolean): Closing {
  const seen = new Set<string>()
  let closing: Closing = { count: 1 }
  for (const each of object.list('cond')) {
    each.only(entry.shape)
    const name = each.take('name', entry.shape.name)
    if (name === undefined) continue
    const word = known.find((one) => one.toLowerCase() === name.trim().toLowerCase())
    if (word === undefined) {
      each.fail('name', () => `unknown condition ${quoted(name)}${hint(name, known)}`)
      continue
    }
    if (seen.has(word)) each.fail('name', `${word} is there already`)
    seen.add(word)
    closing = { ...closing, ...decodeEntry(each, word, scope) }
    if (isSingle && word !== 'cqry')
      each.note('val', `does nothing: a pattern of type 6 joins nothing, so ${word} has nothing to count`)
  }
  return closing
}

function decodeEntry(object: WireObject, word: (typeof known)[number], scope: Scope): Partial<Closing> {
  if (word === 'cqry') {
    const closing = decodeQuery(object, scope)
    return closing ? { closing } : {}
  }
  if (word === 'NUMT') return { count: object.take('val', count) ?? 1 }
  const within_us = seconds(object, 'val')
  return within_us === undefined ? {} : { within_us }
}
