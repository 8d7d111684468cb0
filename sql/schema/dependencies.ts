import type { Schema } from './schema.ts'

/** A stream with the streams that feed it, and those that it feeds: by filters and entities. */
export type Dependencies = { readonly parents: readonly string[]; readonly children: readonly string[] }

/** Every stream of a schema by its name, in declared order. */
export function dependenciesOf({ streams }: Schema): Map<string, Dependencies> {
  const children = new Map(
    streams.map(({ name, filters, entities }) => [
      name,
      [...new Set([...filters, ...entities].map(({ target }) => target))],
    ]),
  )
  const parentsOf = (name: string): string[] =>
    [...children].filter(([, targets]) => targets.includes(name)).map(([parent]) => parent)
  return new Map([...children].map(([name, targets]) => [name, { parents: parentsOf(name), children: targets }]))
}
