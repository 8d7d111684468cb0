/** Schemas, databases, tables and graphs, for suggestions and examples. Schemas are asked for one by one, when a statement names them. */
import { call, Refusal, Unreachable } from '../../api/client.ts'
import type { Catalogue } from './known.ts'
import { type SchemaShape, shapeOf } from './schema-shape.ts'

/** Until then an answer is taken to hold. */
const fresh_ms = 20_000

export function createCatalogue(): Catalogue {
  const known = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>()

  /** Nothing is suggested of things that the key may not see, or that cannot be asked for now. */
  function remembered<Value>(name: string, otherwise: Value, ask: () => Promise<Value>): Promise<Value> {
    const found = known.get(name)
    if (found && performance.now() - found.at < fresh_ms) return found.value as Promise<Value> // as `ask` made it
    const value = ask().catch((error: unknown) => {
      known.delete(name)
      if (error instanceof Refusal || error instanceof Unreachable) return otherwise
      throw error
    })
    known.set(name, { at: performance.now(), value })
    return value
  }

  return {
    schemas: () =>
      remembered('schemas', [], async () => (await call('GET /stream/list')).schemas.map(({ name }) => name)),
    schema: (schema) =>
      remembered(`schema ${schema}`, undefined as SchemaShape | undefined, async () =>
        shapeOf(await call('GET /stream/{schema}/schema', { path: { schema } })),
      ),
    databases: () => remembered('databases', [], async () => (await call('GET /db')).databases),
    tables: (database) =>
      remembered(`tables ${database}`, [], async () => {
        const { tables } = await call('GET /db/{database}/list', { path: { database } })
        return tables
      }),
    graphs: () => remembered('graphs', [], async () => (await call('GET /graph/list')).graphs),
  }
}
