import type { RuleState } from '../../../infra/memory/state.ts'
import type { MovingValue, Rule, Stream } from '../../../sql/schema/schema.ts'
import type { Made } from '../rule-event.ts'
import { compileCondition, type ReadMoving } from './condition.ts'
import type { CurrentEvent } from './current-event.ts'
import type { EventCodec } from './remembered.ts'
import { compileRow, type Other } from './row.ts'
import type { RunValues } from './run-values.ts'

/** The effect of one rule on an event in its turn. */
export type Meet = (current: CurrentEvent, state: RuleState, made: Made) => void

export type Moving = (value: MovingValue) => ReadMoving

/** Makes the row and the match of a rule that found what it looks for; answers whether the rule's last condition holds. */
export type Conclude = (current: CurrentEvent, state: RuleState, made: Made, other: Other) => boolean

export function compileConclude(
  rule: Rule,
  stream: Stream,
  codec: EventCodec,
  moving: Moving,
  ofRun?: RunValues,
): Conclude {
  const { target, notification } = rule
  const closes = compileClosing(rule, stream, moving, ofRun?.closing)
  const makeRow = compileRow(rule, stream, codec, ofRun?.row)
  return (current, state, made, other) => {
    if (closes && !closes(current, state, other)) return false
    const row = makeRow(current, other)
    if (target !== undefined) made.row(target, row, current.pk)
    if (notification !== undefined) made.match(notification, row, current.pk)
    return true
  }
}

/** The last condition of a pattern reads the event, beside which the values of its run stand. */
function compileClosing({ closing }: Rule, stream: Stream, moving: Moving, ofRun: RunValues['closing'] | undefined) {
  if (closing === undefined) return undefined
  const { attributes = [], set } = ofRun ?? {}
  const closes = compileCondition(closing, { ...stream, attributes: [...stream.attributes, ...attributes] }, moving)
  if (set === undefined || attributes.length === 0) return closes
  return (current: CurrentEvent, state: RuleState, { run }: Other): boolean => {
    const event = { ...current.event }
    // A posted member of such a name is none of the run's.
    for (const { name } of attributes) delete event[name.split('.', 1)[0] ?? name]
    if (run !== undefined) set(event, run)
    return closes({ ...current, event }, state)
  }
}
