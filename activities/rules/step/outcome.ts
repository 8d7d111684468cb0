import type { RuleState } from '../../../infra/memory/state.ts'
import type { MovingValue, Rule, Stream } from '../../../sql/schema/schema.ts'
import type { Made } from '../rule-event.ts'
import { compileCondition, type ReadMoving } from './condition.ts'
import type { EventCodec } from './remembered.ts'
import { compileRow, type Other } from './row.ts'
import type { Taken } from './taken.ts'

/** The effect of one rule on an event in its turn. */
export type Meet = (taken: Taken, state: RuleState, made: Made) => void

export type Moving = (value: MovingValue) => ReadMoving

/** Makes the row and the match of a rule that found what it looks for. */
export type Conclude = (taken: Taken, state: RuleState, made: Made, other: Other) => void

export function compileConclude(rule: Rule, stream: Stream, codec: EventCodec, moving: Moving): Conclude {
  const { target, notification, closing } = rule
  const closes = closing && compileCondition(closing, stream, moving)
  const makeRow = compileRow(rule, stream, codec)
  return (taken, state, made, other) => {
    if (closes && !closes(taken, state)) return
    const row = makeRow(taken, other)
    if (target !== undefined) made.row(target, row, taken.pk)
    if (notification !== undefined) made.match(notification, row, taken.pk)
  }
}
