/** Attributes that hold answers of models (PRED), and those whose values come from such answers, in all streams of a schema. */
import { inputsOf } from './check/computed-order.ts'
import { targetsOfRule } from './rule-outputs.ts'
import { runValueOf } from './run-values.ts'
import type { ComputedAttribute, Schema, Stream } from './schema.ts'
import { sessionMembers, sessionsOf } from './sessions.ts'

/** An attribute, or an object of them, with the model whose answer it holds, or from whose answers it comes. */
export type Answer = { readonly name: string; readonly model: string; readonly isDerived: boolean }

/** Whether a name is an attribute, or one of its fields. */
export const isPartOf = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`)

type Origin = Omit<Answer, 'name'>

/** The answers in each stream by its name. They are followed until no stream gets another one: streams may feed each other. */
export function answersIn(schema: Schema): ReadonlyMap<string, readonly Answer[]> {
  const found = new Map<string, Map<string, Origin>>(schema.streams.map(({ name }) => [name, new Map()]))
  let isNew = true

  function add(stream: string | undefined, name: string, origin: Origin | undefined): void {
    const known = stream === undefined ? undefined : found.get(stream)
    if (known === undefined || origin === undefined || known.has(name)) return
    known.set(name, origin)
    isNew = true
  }

  /** The origin of an attribute, of a field of one, or of an object that has such a field. */
  function originOf(stream: string, attribute: string): Origin | undefined {
    for (const [name, origin] of found.get(stream) ?? [])
      if (isPartOf(attribute, name) || isPartOf(name, attribute)) return origin
    return undefined
  }

  const derived = (origin: Origin | undefined): Origin | undefined => origin && { ...origin, isDerived: true }
  const derivedFrom = (stream: string, attributes: readonly string[]): Origin | undefined =>
    derived(attributes.map((each) => originOf(stream, each)).find((origin) => origin !== undefined))

  /** Attributes that are computed over events of one stream, and stand in another one, or in the same. */
  function addComputed(computed: readonly ComputedAttribute[], from: string, to: string | undefined): void {
    for (const attribute of computed) {
      const { name, model } = attribute
      if (model !== undefined) add(to, name, { model, isDerived: false })
      else
        for (const stream of new Set([from, to]))
          if (stream !== undefined) add(to, name, derivedFrom(stream, inputsOf(attribute)))
    }
  }

  /** Attributes that are copied with their names, and fields of them. */
  function addCopies(from: string, to: string | undefined, attributes: readonly string[]): void {
    for (const [name, origin] of [...(found.get(from) ?? [])])
      if (attributes.some((each) => isPartOf(name, each))) add(to, name, origin)
    for (const each of attributes) {
      const whole = [...(found.get(from) ?? [])].find(([name]) => isPartOf(each, name))
      if (whole !== undefined) add(to, each, whole[1])
    }
  }

  function follow(stream: Stream): void {
    const { name, computed, filters, movingFilters, references, entities, rules } = stream
    addComputed(computed, name, name)
    for (const { target, attributes, computed: more = [] } of [...filters, ...movingFilters]) {
      addCopies(name, target, attributes)
      addComputed(more, name, target)
    }
    for (const { source, sources, results } of references) {
      if (source.kind === 'table') continue
      for (const [place, result] of results.entries()) {
        const origin = originOf(source.stream, sources[place] ?? '')
        add(name, result, source.kind === 'entity' ? derived(origin) : origin)
      }
    }
    for (const { target, results, inputs, keys } of entities) {
      for (const [place, result] of results.entries()) add(target, result, derivedFrom(name, [inputs[place] ?? '']))
      for (const key of keys) add(target, key.name, derivedFrom(name, key.inputs))
    }
    for (const { session, keys, values } of sessionsOf(stream)) {
      for (const key of keys) add(session.target, key.name, derivedFrom(name, key.inputs))
      for (const { name: result, input, statistics } of values)
        for (const each of result === undefined ? sessionMembers(statistics) : [result])
          add(session.target, each, derivedFrom(name, [input]))
    }
    for (const rule of rules) {
      const partner = rule.partner ?? name
      for (const target of targetsOfRule(rule)) {
        addCopies(name, target, rule.inputs)
        addCopies(
          partner,
          target,
          rule.results.filter((each) => !rule.inputs.includes(each)),
        )
        for (const each of rule.results) add(target, `_j1.${each}`, originOf(partner, each))
        for (const path of rule.runResults ?? [])
          add(target, path, derivedFrom(name, [runValueOf(path)?.attribute ?? '']))
        addComputed(rule.computed, target, target)
      }
    }
  }

  while (isNew) {
    isNew = false
    for (const stream of schema.streams) follow(stream)
  }
  return new Map(
    [...found].map(([stream, names]) => [stream, [...names].map(([name, origin]) => ({ name, ...origin }))]),
  )
}
