import { movingSources } from './mark-made.ts'
import { targetsOfRule } from './rule-outputs.ts'
import type { Schema, Stream } from './schema.ts'

/**
 * A stream with the streams that it takes events or values from, and those that take them from it: by filters, entities,
 * joins, patterns, sessions, references and conditions over a moving time.
 */
export type Dependencies = { readonly parents: readonly string[]; readonly children: readonly string[] }

/** Streams into which the events of a stream go, by themselves or in rows. */
const targetsOf = ({ filters, movingFilters, entities, groupBys, rules }: Stream): readonly string[] => [
  ...[...filters, ...movingFilters, ...entities].flatMap(({ target }) => target ?? []),
  ...rules.flatMap(targetsOfRule),
  ...[...groupBys, ...entities].flatMap(({ session }) => session?.target ?? []),
]

/** Streams whose events or rows a stream's own look at: its events depend on them. */
const sourcesOf = (stream: Stream): readonly string[] => [
  ...stream.references.flatMap(({ source }) => (source.kind === 'table' ? [] : source.stream)),
  ...movingSources(stream),
]

/** Every stream of a schema by its name, in declared order. */
export function dependenciesOf({ streams }: Schema): Map<string, Dependencies> {
  const parents = new Map<string, Set<string>>(streams.map(({ name }) => [name, new Set()]))
  const children = new Map<string, Set<string>>(streams.map(({ name }) => [name, new Set()]))
  const link = (parent: string, child: string) => {
    if (parent === child) return
    parents.get(child)?.add(parent)
    children.get(parent)?.add(child)
  }
  for (const stream of streams) {
    for (const target of targetsOf(stream)) link(stream.name, target)
    for (const rule of stream.rules)
      for (const target of targetsOfRule(rule)) if (rule.partner) link(rule.partner, target)
    for (const source of sourcesOf(stream)) link(source, stream.name)
  }
  return new Map(
    streams.map(({ name }) => [
      name,
      { parents: [...(parents.get(name) ?? [])], children: [...(children.get(name) ?? [])] },
    ]),
  )
}
