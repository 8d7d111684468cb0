import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import { type Await, silent, type Waiting } from './absence.ts'
import { compileCondition, type Holds } from './condition.ts'
import type { CurrentEvent } from './current-event.ts'
import type { Moving } from './outcome.ts'
import { keyedNames } from './pair.ts'
import { createReach, type Forgets, type Reach } from './reach.ts'

/** One of the two streams of a rule. A rule that one stream declares alone has no `rule` on the other side. */
export type Side = { readonly stream: Stream; readonly rule?: Rule; readonly passes: Holds }

/** A rule over two streams as both declare it. */
export type Pairing = {
  readonly rule: Rule
  readonly sides: readonly [Side, Side]
  readonly reach: Reach
  /**
   * The space of what the rule remembers of a side's events, `longer_us` longer than they are met. Their keys are those of
   * `trigger`, whose events look for them.
   */
  space(kind: string, side: Side, trigger: Side, longer_us?: number): string
  /** How events of a side wait for a partner. */
  waiting(side: Side): Waiting
  /** Takes note of an event under a key by the condition of `trigger`; gives the time before which events of that key are forgotten. */
  see(current: CurrentEvent, state: RuleState, key: string, trigger: Side): number
}

const findPartner = (schema: Schema, stream: Stream, rule: Rule): Stream => {
  const partner = schema.streams.find(({ name }) => name === rule.partner)
  if (partner === undefined) throw new Error(`${stream.name}: ${rule.kind} ${rule.name} has no partner`)
  return partner
}

export const mirrorOf = ({ kind, name }: Rule, stream: Stream, partner: Stream): Rule | undefined =>
  partner.rules.find((each) => each.kind === kind && each.name === name && each.partner === stream.name)

/** All that decides what a rule remembers and finds. */
export const definitionOf = (rule: Rule | undefined) => {
  if (rule === undefined) return undefined
  const { notification: _notification, absent: _absent, ...definition } = rule
  return definition
}

/** A compiled rule is given these: how it reads moving values, tells what it forgets, and lets events wait. */
export type RuleTools = { readonly moving: Moving; readonly forgets: Forgets; readonly awaits: Await }

export function compilePairing(
  schema: Schema,
  stream: Stream,
  rule: Rule,
  { moving, forgets, awaits }: RuleTools,
): Pairing {
  const partner = findPartner(schema, stream, rule)
  const sideOf = (of: Stream, declared: Rule | undefined): Side => ({
    stream: of,
    ...(declared && { rule: declared }),
    passes: declared?.filter ? compileCondition(declared.filter, of, moving) : () => true,
  })
  const sides = [sideOf(stream, rule), sideOf(partner, mirrorOf(rule, stream, partner))] as const
  const [first, second] = sides.toSorted((left, right) => (left.stream.name < right.stream.name ? -1 : 1))
  const definition = [definitionOf(first?.rule), definitionOf(second?.rule)]
  const nameOf = (kind: string, { stream: { name } }: Side): string => spaceOf(schema.name, name, kind, definition)
  const timeSpace = nameOf(`${rule.mode}-time`, first ?? sides[0])
  const reach = createReach(timeSpace, rule.distance_us)
  forgets(timeSpace, reach.isNoteForgotten)
  const termsOf = ({ stream, rule: declared }: Side): string =>
    declared?.condition ? keyedNames(declared.condition, stream, stream === first?.stream ? last : begin) : ''
  const [begin, last] = [first?.stream ?? stream, second?.stream ?? partner]
  // Both sides have the same keys as a rule; keys by other attributes are told apart from them.
  const areAlike = first !== undefined && second !== undefined && termsOf(first) === termsOf(second)
  const wayOf = (trigger: Side): string => (areAlike || trigger.stream === begin ? '' : '~')
  const space: Pairing['space'] = (kind, side, trigger, longer_us = 0) => {
    const name = nameOf(kind, side)
    const way = wayOf(trigger)
    forgets(name, (record, state) => reach.isForgotten(record, state, way, longer_us))
    return name
  }
  // The definition of a rule that one side declares alone has it once.
  const waits = new Map(sides.map((side) => [side.stream, awaits(side, definition)]))
  return {
    ...{ rule, sides, space, reach },
    waiting: ({ stream: of }) => waits.get(of) ?? silent,
    see: (current, state, key, trigger) => reach.see(current, state, key, wayOf(trigger)),
  }
}

/** Whether events of the side make rows. */
export const isActive = ({ rule }: Side): boolean => rule?.condition !== undefined && rule.role !== 'passive'
