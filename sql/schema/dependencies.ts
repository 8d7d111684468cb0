import type { Schema } from './schema.ts'

/** A stream with the streams that feed it, and those that it feeds: by filters and entities. */
export type Dependencies = { readonly parents: readonly string[]; readonly children: readonly string[] }

/** Every stream of a schema by its name, in declared order. */
export function dependenciesOf({ streams }: Schema): Map<string, Dependencies> {
  const parents = new Map<string, string[]>(streams.map(({ name }) => [name, []]))
  const nodes = streams.map(({ name, filters, entities }) => {
    const children = [...new Set([...filters, ...entities].map(({ target }) => target))]
    for (const child of children) parents.get(child)?.push(name)
    return { name, children }
  })
  return new Map(nodes.map(({ name, children }) => [name, { parents: parents.get(name) ?? [], children }]))
}
