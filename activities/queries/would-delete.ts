import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { hasGraph } from '../../sql/schema/ddl/schema.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Graphs } from '../graphs/graphs.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { OpenTable } from '../tables/open-tables.ts'
import type { TableQueries } from '../tables/queries.ts'
import type { StreamQueries } from './streams.ts'

export type WouldDeleteDeps = {
  readonly registry: Pick<Registry, 'schema' | 'stream'>
  readonly streams: Pick<StreamQueries, 'count' | 'caughtUpButFailing'>
  readonly graphs: Pick<Graphs, 'count'>
  readonly tables: Pick<TableQueries, 'count' | 'recordsOf'>
}

/** A thing that a deletion would take; `num_events` counts its events, keys, nodes and relations, or records. */
export type GoingThing = { readonly name: string; readonly num_events: number }
export type Going = { readonly things: readonly GoingThing[]; readonly notes: readonly string[] }

const at = { offset: 0, line: 1, column: 1 }

/** Answers what a deletion would take, and changes nothing. */
export function createWouldDelete({ registry, streams, graphs, tables }: WouldDeleteDeps) {
  async function countStream(target: RegisteredStream, on: QueryClickHouse): Promise<GoingThing> {
    const [schema, name] = [target.schema.name, target.stream.name]
    const from = { schema, name, at }
    const { count } = await streams.count(target, { kind: 'count', from }, { text: '', eventual: true }, on)
    return { name: `${schema}__${name}`, num_events: count }
  }

  async function countStreams(targets: readonly RegisteredStream[], on: QueryClickHouse): Promise<Going> {
    const queues = [...new Set(targets.flatMap((target) => target.queues))]
    const notes = await streams.caughtUpButFailing(queues)
    return { things: await Promise.all(targets.map((target) => countStream(target, on))), notes }
  }

  return {
    /** Of a schema: its streams, and its graph. */
    async schema(name: string, on: QueryClickHouse): Promise<Going> {
      const { schema, streams: targets } = registry.schema(name)
      const { things, notes } = await countStreams([...targets.values()], on)
      if (!hasGraph(schema)) return { things, notes }
      const graph = schemaGraph(name)
      return { things: [...things, { name: graph, num_events: await graphs.count(graph) }], notes }
    },

    stream: (schema: string, stream: string, on: QueryClickHouse): Promise<Going> =>
      countStreams([registry.stream(schema, stream)], on),

    async graph(graph: string): Promise<GoingThing[]> {
      return [{ name: graph, num_events: await graphs.count(graph) }]
    },

    async table(opened: OpenTable, on: QueryClickHouse): Promise<GoingThing[]> {
      const { database: schema, name } = opened.table
      return [{ name, num_events: await tables.count(opened, { kind: 'count', from: { schema, name, at } }, on) }]
    },

    /** A key with all its records; a fault `missing` where it has none. */
    async record(opened: OpenTable, text: string, on: QueryClickHouse): Promise<GoingThing[]> {
      const { key, records } = await tables.recordsOf(opened, text, on)
      return [{ name: key, num_events: records.length }]
    },
  }
}

export type WouldDelete = ReturnType<typeof createWouldDelete>
