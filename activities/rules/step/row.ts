import type { Event } from '../../../base/json.ts'
import type { ComputedAttribute, Rule, Stream } from '../../../sql/schema/schema.ts'
import { compileComputed } from '../../events/computed/compile.ts'
import type { Attributes } from '../../events/places.ts'
import { type CurrentEvent, timeOf } from './current-event.ts'
import { placeOf } from './read.ts'
import type { EventCodec, RememberedEvent } from './remembered.ts'
import type { RunNow, RunValues } from './run-values.ts'
import { compileSet } from './set-member.ts'

/** The other event of a row, and where a run makes the row, what that has by now. */
export type Other = { readonly event: RememberedEvent; readonly pk: number; readonly run?: RunNow | undefined }

/** Makes the row of an event, and of the other one where the rule has one. */
export type MakeRow = (current: CurrentEvent, other?: Other) => Event

const isWithin = (name: string, object: string): boolean => name.startsWith(`${object}.`)

/** The attributes that these names bring: theirs, and those of the fields of OBJECTs among them. */
const brought = (attributes: Attributes['attributes'], names: readonly string[]): Attributes['attributes'] =>
  attributes.filter(({ name }) => names.some((each) => each === name || isWithin(name, each)))

/** Names without those that stand within an OBJECT that is named too. */
export const outermost = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => name !== '_pk' && !names.some((each) => isWithin(name, each)))

/** Compiles computed attributes without predictions, which no rule has. */
export function compileEach(
  attributes: readonly ComputedAttribute[],
  { attributes: others }: Attributes,
): ((event: Event) => void) | undefined {
  if (attributes.length === 0) return undefined
  const computed = compileComputed(attributes, { attributes: [...attributes, ...others] }, async () => [])
  if (computed.kind !== 'each') throw new Error('a rule predicts nothing')
  return computed.compute
}

/**
 * Compiles the rows of a rule: the attributes of the event that triggers, then those of the other one. A name of both
 * keeps the value of the one that triggers, or stays missing with it; `_j1` has all of the other's.
 */
export function compileRow(rule: Rule, stream: Stream, codec?: EventCodec, ofRun?: RunValues['row']): MakeRow {
  const inputs = outermost(rule.inputs).map((name) => ({
    name,
    read: placeOf(stream, name).read,
    set: compileSet(name),
  }))
  const setInputs = (row: Event, current: CurrentEvent, among: typeof inputs): void => {
    for (const { read, set } of among) set(row, read(current))
  }
  const compute = compileEach(rule.computed, {
    attributes: [
      ...brought(stream.attributes, rule.inputs),
      ...(codec ? brought(codec.attributes, rule.results) : []),
      ...(ofRun?.attributes ?? []),
    ],
  })
  const all =
    codec === undefined
      ? []
      : outermost(rule.results).map((name) => ({ name, read: codec.json(name), set: compileSet(name) }))
  const timeInOther = rule.results.includes('_pk')
  const named = new Set(rule.inputs)
  const results = all
    .filter(({ name }) => !named.has(name) && !rule.inputs.some((input) => isWithin(name, input)))
    // Fields that the event that triggers has in an object of the other one.
    .map((each) => ({ ...each, within: inputs.filter(({ name }) => isWithin(name, each.name)) }))

  return (current, other) => {
    const row: Event = { _pk: timeOf(current) }
    setInputs(row, current, inputs)
    if (other !== undefined && codec !== undefined) {
      for (const { read, set, within } of results) {
        const value = read(other.event)
        if (value === undefined) continue
        set(row, value)
        setInputs(row, current, within)
      }
      const time = codec.time(other.event, other.pk)
      row._jpk1 = time
      const whole: Event = timeInOther ? { _pk: time } : {}
      for (const { read, set } of all) {
        const value = read(other.event)
        if (value !== undefined) set(whole, value)
      }
      row._j1 = whole
      if (other.run !== undefined) ofRun?.set(row, other.run)
    }
    compute?.(row)
    return row
  }
}
