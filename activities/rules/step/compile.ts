import { aheadSpace } from '../../../infra/memory/spaces.ts'
import type { EventRecord, RuleState } from '../../../infra/memory/state.ts'
import type { WaitOrder } from '../../../infra/memory/waits.ts'
import { hasSessions } from '../../../sql/schema/has-sessions.ts'
import type { Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileDocument } from '../../events/places.ts'
import type { Made, RuleEvent } from '../rule-event.ts'
import { type Await, compileAbsence, type Due, type Ending } from './absence.ts'
import { compileActive, compilePassive } from './active.ts'
import { compileAllSide } from './all-join.ts'
import { compileCondition } from './condition.ts'
import { currentEvent } from './current-event.ts'
import { compileFilter } from './filter.ts'
import { compileMovingValues } from './moving.ts'
import { createNewest, type Newest } from './newest.ts'
import type { Meet, Moving } from './outcome.ts'
import { compilePairSide } from './pair-join.ts'
import { compilePairing, isActive, mirrorOf, type RuleTools } from './pairing.ts'
import type { Forgets } from './reach.ts'
import { compileRow } from './row.ts'
import { compileRun } from './run.ts'
import { compileSessions } from './session.ts'

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
  const forgotten = new Map<string, Parameters<Forgets>[1]>()
  const forgets: Forgets = (space, isForgotten) => forgotten.set(space, isForgotten)
  const moving = compileMovingValues(schema, forgets)
  /** How far the time of streams is without whose events some are missed. */
  const newest = new Map<string, Newest>()
  function newestOf(stream: string): Newest {
    const known = newest.get(stream) ?? createNewest(schema.name, stream)
    newest.set(stream, known)
    return known
  }
  const endings = new Map<string, Ending>()
  const ends = (ending: Ending): void => void endings.set(ending.space, ending)
  const awaits: Await = (side, definition) => compileAbsence({ schema, newestOf, ends }, side, definition)
  for (const stream of schema.streams) {
    const tools = { moving: (value) => moving.read(stream, value), forgets, awaits } satisfies RuleTools
    const steps = [
      ...moving.observe(stream.name),
      ...stepsOf(schema, stream, tools),
      ...compileSessions({ schema, newestOf, ends }, stream),
    ]
    if (steps.length > 0) meets.set(stream.name, steps)
    if (hasSessions(stream) || rulesOf(schema, stream).some(({ rule }) => rule.mode !== 'single')) {
      ahead.set(stream.name, aheadSpace(schema.name, stream.name))
    }
  }
  return {
    spaces: moving.spaces,

    /** Whether events of the stream have to be told to the rules. */
    observes: (stream: string): boolean => meets.has(stream),

    /** Whether the rule of a space has no use any more for an event of that time. */
    isForgotten: (space: string, record: EventRecord, state: RuleState): boolean =>
      forgotten.get(space)?.(record, state) ?? false,

    /** Takes an event that is stored; its rows and matches go to `made`, in their order. */
    step(stream: string, event: RuleEvent, state: RuleState, made: Made): void {
      const steps = meets.get(stream)
      if (steps === undefined) return
      const current = currentEvent(event)
      if (current.time > state.now() + skew_us) {
        const space = ahead.get(stream)
        if (space !== undefined) state.dropped(space, 1)
      }
      newest.get(stream)?.see(current, state)
      for (const meet of steps) meet(current, state, made)
    },

    /** Whether events wait for others whose absence is told, or sessions are open that silence closes. */
    awaits: endings.size > 0,

    /**
     * The waits that are over at the time of `state`, in their order: so many at most. Waits of streams that are OFF are over
     * without a row.
     */
    due(
      state: RuleState,
      orderOf: (space: string) => WaitOrder,
      isOn: (stream: string) => boolean,
      most: number,
    ): Due[] {
      const found: Due[] = []
      for (const { space, streams, due } of endings.values()) {
        const order = orderOf(space)
        if (order.size === 0) continue
        const isMissed = streams.every(isOn)
        for (const each of due(state, order, most))
          found.push(isMissed ? each : { ...each, settle: (changed) => each.settle(changed) })
      }
      return found.sort((one, other) => one.at - other.at).slice(0, most)
    },
  }
}

export type Step = ReturnType<typeof compileStep>

function stepsOf(schema: Schema, stream: Stream, tools: RuleTools): Meet[] {
  const { moving } = tools
  const isMade = (name: string): boolean => schema.streams.some((each) => each.name === name && each.isMade === true)
  const rules = rulesOf(schema, stream)
  const ofKind = (kind: Rule['kind']): Meet[] =>
    rules
      .filter(({ rule }) => rule.kind === kind)
      .flatMap((declared) => compileRule(schema, stream, declared, tools) ?? [])
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

function compileRule(schema: Schema, stream: Stream, { by, rule }: Declared, tools: RuleTools): Meet | undefined {
  const { mode } = rule
  const { moving } = tools
  if (mode === 'single') return compileSingle(stream, rule, moving)
  if (mode === 'run') return compileRun(schema, stream, rule, tools)
  const pairing = compilePairing(schema, by, rule, tools)
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
  return (current, state, made) => {
    if (!conditions.every((holds) => holds(current, state))) return
    if (target !== undefined) made.row(target, makeRow(current), current.pk)
    if (notification !== undefined) made.match(notification, documentOf(current.event), current.pk)
  }
}
