import type { Rule, Stream } from '../../../sql/schema/schema.ts'
import { compileDocument } from '../../events/places.ts'
import { compileCondition } from './condition.ts'
import type { Meet, Moving } from './outcome.ts'
import { compileRow } from './row.ts'

/** Each event that passes is a match. */
export function compileSingle(stream: Stream, rule: Rule, moving: Moving): Meet {
  const { target, notification, filter, closing } = rule
  const conditions = [filter, closing].flatMap((each) => (each ? compileCondition(each, stream, moving) : []))
  const documentOf = compileDocument(stream)
  const makeRow = compileRow(rule, stream)
  return (taken, state, made) => {
    if (!conditions.every((holds) => holds(taken, state))) return
    if (target !== undefined) made.row(target, makeRow(taken), taken.pk)
    if (notification !== undefined) made.match(notification, documentOf(taken.event), taken.pk)
  }
}
