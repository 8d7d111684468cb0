import type { Event, Json } from '../../../base/json.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { attributeOfRun, type RunValue, runValueOf } from '../../../sql/schema/run-values.ts'
import type { Attribute, Rule, RuleCondition, Schema, Stream } from '../../../sql/schema/schema.ts'
import { comparisons } from '../../events/compare.ts'
import { toNumber } from '../../events/computed/values.ts'
import type { Scalar } from '../../events/values.ts'
import type { CurrentEvent } from './current-event.ts'
import type { Forgets, Reach } from './reach.ts'
import { placeOf, scalarRead } from './read.ts'
import { compileCodec, type RememberedEvent } from './remembered.ts'
import { compileSet } from './set-member.ts'

/**
 * The figures of a run that goes on, one a value, null where there is none yet. In front of them stands the place of the
 * first event, under which that is remembered: so it goes when the event is erased.
 */
export type Carried = readonly [first: number, ...figures: readonly (Figure | null)[]]
type Figure = Scalar | readonly [sum: number, count: number]

/** Values of a run with an event that has just joined it. */
export type RunNow = { readonly count: number; readonly carried: Carried; readonly first: RememberedEvent | undefined }

/** Takes the value of the next event into a figure. */
type Add = (figure: Figure | null | undefined, value: Scalar) => Figure

const greater =
  (operator: '<' | '>'): Add =>
  (figure, value) =>
    typeof figure === 'object' || figure === undefined || comparisons[operator](value, figure) ? value : figure

const adds: Readonly<Record<Exclude<RunValue['of'], 'count' | 'first'>, Add>> = {
  sum: (figure, value) => (typeof figure === 'number' ? figure : 0) + Number(value),
  min: greater('<'),
  max: greater('>'),
  avg(figure, value) {
    const [sum, count] = Array.isArray(figure) ? figure : [0, 0]
    return [sum + Number(value), count + 1]
  },
}

const shownFigure = (figure: Figure | null | undefined): Scalar | undefined => {
  const value = Array.isArray(figure) ? figure[0] / figure[1] : figure
  if (value === null || value === undefined || typeof value === 'object') return undefined
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value
}

/** The paths that a condition reads. */
function pathsOf(condition: RuleCondition | undefined): string[] {
  if (condition === undefined) return []
  if (condition.kind !== 'compare') return condition.terms.flatMap(pathsOf)
  return [condition.left, condition.right].flatMap((each) => (each.kind === 'attribute' ? [each.path] : []))
}

/** The values of runs that the rows of a rule have, and its last condition reads. Undefined where there are none. */
export function compileRunValues(
  schema: Schema,
  stream: Stream,
  rule: Rule,
  reach: Pick<Reach, 'isNoteForgotten'>,
  forgets: Forgets,
) {
  const isAttribute = (path: string): boolean => stream.attributes.some(({ name }) => name === path)
  const valuesOf = (paths: readonly string[]): RunValue[] =>
    [...new Set(paths)].flatMap((path) => (isAttribute(path) ? [] : (runValueOf(path) ?? [])))
  const [inRow, inClosing] = [valuesOf(rule.runResults ?? []), valuesOf(pathsOf(rule.closing))]
  const values = valuesOf([...inRow, ...inClosing].map(({ path }) => path))
  if (values.length === 0) return undefined

  const firsts = values.filter(({ of }) => of === 'first').map(({ attribute }) => attribute)
  const codec = compileCodec(stream, firsts)
  const { notification: _notification, ...definition } = rule
  const space = firsts.length > 0 ? spaceOf(schema.name, stream.name, 'run-first', definition) : undefined
  if (space !== undefined) forgets(space, reach.isNoteForgotten)

  const figures = values.flatMap(({ path, of, attribute }) =>
    of === 'count' || of === 'first' ? [] : [{ path, add: adds[of], read: scalarRead(placeOf(stream, attribute)) }],
  )

  const readers = new Map(
    values.map(({ path, of, attribute }): [string, (now: RunNow) => Json | undefined] => {
      if (of === 'count') return [path, ({ count }) => count]
      if (of === 'first') {
        const read = codec.json(attribute)
        return [path, ({ first }) => first && read(first)]
      }
      const place = 1 + figures.findIndex((figure) => figure.path === path)
      return [path, ({ carried }) => shownFigure(carried[place] as Figure | null)]
    }),
  )
  const attributes = (of: readonly RunValue[]): Attribute[] =>
    of.flatMap((value) => attributeOfRun(value, stream.attributes) ?? [])
  const setters = (of: readonly RunValue[]) => {
    const each = of.map(({ path }) => ({ read: readers.get(path), set: compileSet(path) }))
    return (event: Event, now: RunNow): void => {
      for (const { read, set } of each) set(event, read?.(now))
    }
  }

  return {
    /** The figures of the run of an event: one that goes on, or begins with it. */
    add(before: Carried | undefined, current: CurrentEvent, state: RuleState): Carried {
      const first = before?.[0] ?? current.seq
      if (space !== undefined) {
        const kept = before === undefined ? codec.encode(current) : state.value(space, String(first))
        // It is as old as the last event of its run.
        const age = { seq: first, pk: Math.max(current.time, current.seq) }
        if (kept !== undefined) state.set(space, String(first), kept, age)
      }
      const next = figures.map(({ add, read }, index) => {
        const figure = (before?.[index + 1] ?? null) as Figure | null
        const value = read(current)
        return value === undefined || toNumber(value) === undefined ? figure : add(figure, value)
      })
      return [first, ...next]
    },
    /** Nothing goes on with a run any more. */
    end(carried: Carried | undefined, state: RuleState): void {
      if (space !== undefined && carried !== undefined) state.set(space, String(carried[0]), undefined)
    },
    now: (count: number, carried: Carried, state: RuleState): RunNow => ({
      ...{ count, carried },
      first: space === undefined ? undefined : (state.value(space, String(carried[0])) as RememberedEvent | undefined),
    }),
    row: { attributes: attributes(inRow), set: setters(inRow) },
    closing: { attributes: attributes(inClosing), set: setters(inClosing) },
  }
}

export type RunValues = NonNullable<ReturnType<typeof compileRunValues>>
