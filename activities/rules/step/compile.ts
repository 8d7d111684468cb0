import { aheadSpace } from '../../../infra/memory/spaces.ts'
import type { EventRecord, RuleState } from '../../../infra/memory/state.ts'
import type { Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileDocument } from '../../events/places.ts'
import type { Made, RuleEvent } from '../rule-event.ts'
import { compileActive, compilePassive } from './active.ts'
import { compileAllSide } from './all-join.ts'
import { compileCondition } from './condition.ts'
import { compileFilter } from './filter.ts'
import { compileMovingValues } from './moving.ts'
import type { Meet, Moving } from './outcome.ts'
import { compilePairSide } from './pair-join.ts'
import { compilePairing, isActive, mirrorOf } from './pairing.ts'
import type { Forgets } from './reach.ts'
import { compileRow } from './row.ts'
import { compileRun } from './run.ts'
import { take } from './taken.ts'

/** Clocks differ by so much: an event whose time is further ahead is reported. */
const skew_us = 1_000_000

/**
 * Compiles what the rules of a schema do with an event: filters whose events they make, then joins, then patterns. The
 * result depends on the events before and their order alone.
 */
export function compileStep(schema: Schema) {
  const meets = new Map<string, readonly Meet[]>()
  /** Where events are counted whose time is ahead. */
  const ahead = new Map<string, string>()
  const moving = compileMovingValues(schema)
  const forgotten = new Map<string, Parameters<Forgets>[1]>()
  const forgets: Forgets = (space, isForgotten) => forgotten.set(space, isForgotten)
  for (const stream of schema.streams) {
    const read: Moving = (value) => moving.read(stream.name, value)
    const steps = [...moving.observe(stream.name), ...stepsOf(schema, stream, read, forgets)]
    if (steps.length > 0) meets.set(stream.name, steps)
    if (rulesOf(schema, stream).some(({ rule }) => rule.mode !== 'single')) {
      ahead.set(stream.name, aheadSpace(schema.name, stream.name))
    }
  }
  return {
    /** Whether events of the stream have to be told to the rules. */
    observes: (stream: string): boolean => meets.has(stream),

    /** Whether the rule of a space has no use any more for an event of that time. */
    isForgotten: (space: string, record: EventRecord, state: RuleState): boolean =>
      forgotten.get(space)?.(record, state) ?? false,

    /** Takes an event that is stored; its rows and matches go to `made`, in their order. */
    step(stream: string, event: RuleEvent, state: RuleState, made: Made): void {
      const steps = meets.get(stream)
      if (steps === undefined) return
      const taken = take(event)
      if (taken.time > state.now() + skew_us) {
        const space = ahead.get(stream)
        if (space !== undefined) state.dropped(space, 1)
      }
      for (const meet of steps) meet(taken, state, made)
    },
  }
}

export type Step = ReturnType<typeof compileStep>

function stepsOf(schema: Schema, stream: Stream, moving: Moving, forgets: Forgets): Meet[] {
  const isMade = (name: string): boolean => schema.streams.some((each) => each.name === name && each.isMade === true)
  const rules = rulesOf(schema, stream)
  const ofKind = (kind: Rule['kind']): Meet[] =>
    rules
      .filter(({ rule }) => rule.kind === kind)
      .flatMap((declared) => compileRule(schema, stream, declared, moving, forgets) ?? [])
  return [
    ...stream.filters.filter(({ target }) => isMade(target)).map((filter) => compileFilter(stream, filter, moving)),
    ...stream.movingFilters.map((filter) => compileFilter(stream, filter, moving)),
    ...ofKind('join'),
    ...ofKind('pattern'),
  ]
}

type Declared = { readonly by: Stream; readonly rule: Rule }

/** The rules that a stream's events meet: its own, then those that other streams declare alone. */
const rulesOf = ({ streams }: Schema, stream: Stream): Declared[] => [
  ...stream.rules.map((rule) => ({ by: stream, rule })),
  ...streams
    .filter((by) => by !== stream)
    .flatMap((by) => by.rules.map((rule) => ({ by, rule })))
    .filter(({ by, rule }) => rule.partner === stream.name && mirrorOf(rule, by, stream) === undefined),
]

function compileRule(
  schema: Schema,
  stream: Stream,
  { by, rule }: Declared,
  moving: Moving,
  forgets: Forgets,
): Meet | undefined {
  const { mode } = rule
  if (mode === 'single') return compileSingle(stream, rule, moving)
  if (mode === 'run') return compileRun(schema, stream, rule, moving, forgets)
  const pairing = compilePairing(schema, by, rule, moving, forgets)
  const [first, second] = pairing.sides
  const [side, other] = first.stream === stream ? [first, second] : [second, first]
  if (mode === 'pair') return compilePairSide(pairing, side, other, moving)
  if (mode === 'all') return compileAllSide(pairing, side, other, moving)
  if (isActive(side)) return compileActive(pairing, side, other, mode, moving)
  return isActive(other) ? compilePassive(pairing, side, other, mode) : undefined
}

/** Each event that passes is a match. */
function compileSingle(stream: Stream, rule: Rule, moving: Moving): Meet {
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
