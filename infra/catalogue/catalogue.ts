import { randomBytes } from 'node:crypto'
import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { versionAfter } from './version-after.ts'

/** `making` and `dropping` are marks of work that a crash may have cut off; the next start undoes or ends it. */
export type SchemaState = 'making' | 'ready' | 'editing' | 'building' | 'filling' | 'dropping' | 'gone'
export type SchemaRecord = { readonly name: string; readonly body: string; readonly state: SchemaState }

const gone = 'gone '
const horizon = 'horizon '

/**
 * How far the events of a process are in ClickHouse: those up to a `_seq`, but for events of the queues that are `behind`;
 * those of a queue that `settledOf` names as far as it says.
 */
export type Horizon = {
  readonly settled: number
  readonly behind: readonly string[]
  readonly settledOf?: Readonly<Record<string, number>>
}
const erased = 'erased '
const sessions = 'sessions '

/** When a stream of that name last went, alone or with its schema, of the times that `goneAt` gives; 0 where none has. */
export const lastGone = (goneAt: ReadonlyMap<string, number>, schema: string, queue: string): number =>
  Math.max(goneAt.get(schema) ?? 0, goneAt.get(queue) ?? 0)

/** The loss of a stream by erasures. */
export type Erased = {
  /** The greatest `_pk` of an erased event that statistics still count, as text; absent where they count none. */
  readonly until_us?: string
  /** The greatest `_seq` of an erased event. */
  readonly seq?: number
  /** How many values of erased events each measure of an entity still counts, by `<table>.<measure>`. */
  readonly counts?: Readonly<Record<string, number>>
  /** Rows of an entity stream were erased. */
  readonly rows?: true
  /** All that the partitions of the stream's topic held up to these positions had been taken before the last erasure. */
  readonly positions?: Readonly<Record<string, number>>
}

/** Notes were written whose one position was of no partition. */
function erasedIn(text: string): Erased {
  const { positions = {}, ...loss }: Erased = JSON.parse(text)
  const ofPartitions = Object.entries(positions).filter(([partition]) => partition !== 'undefined')
  return { ...loss, ...(ofPartitions.length > 0 && { positions: Object.fromEntries(ofPartitions) }) }
}

/** The columns that name a row. */
const keys = {
  schemas: ['name'],
  stream_states: ['schema', 'stream'],
  settings: ['name'],
  secrets: ['name'],
  pivots: ['stream', 'attribute'],
  consumers: ['queue'],
  topic_positions: ['queue'],
} as const

/**
 * Weir's knowledge about itself, in ClickHouse's database `weir`. The latest version of a row counts. Schemas and
 * states take their versions from `nextVersion`, by which other processes find the changes that they have not followed.
 */
export function createCatalogue(
  clickhouse: ClickHouse,
  now_us: () => number,
  nextVersion = now_us,
  write: (insertion: SqlStatement) => Promise<void> = clickhouse.run,
) {
  const put = (
    table: keyof typeof keys,
    columns: Record<string, string | number>,
    version = now_us(),
  ): Promise<void> => {
    const types = (value: string | number) => (typeof value === 'number' ? 'Float64' : 'String')
    const all = { ...columns, version: String(version) }
    const holders = Object.entries(all).map(([name, value]) =>
      name === 'version' ? versionAfter(table, keys[table]) : `{${name}:${types(value)}}`,
    )
    return write({
      text: `INSERT INTO weir.${table} (${Object.keys(all).join(', ')}) SELECT ${holders.join(', ')}`,
      params: all,
    })
  }
  const all = <Row>(text: string): Promise<Row[]> => clickhouse.rows<Row>({ text, params: {} })
  const setting = async (name: string): Promise<string | undefined> => {
    const text = 'SELECT value FROM weir.settings FINAL WHERE name = {name:String}'
    return (await clickhouse.rows<{ value: string }>({ text, params: { name } }))[0]?.value
  }

  return {
    schemas: () =>
      all<SchemaRecord>("SELECT name, body, state FROM weir.schemas FINAL WHERE state != 'gone' ORDER BY name"),
    putSchema: (record: SchemaRecord) => put('schemas', record, nextVersion()),

    streamStates: () =>
      all<{ schema: string; stream: string; state: number }>(
        'SELECT schema, stream, state FROM weir.stream_states FINAL',
      ),
    /** The schemas that were written after a version. */
    schemasSince: (version: number) =>
      clickhouse.rows<SchemaRecord>({
        text: 'SELECT name, body, state FROM weir.schemas FINAL WHERE version > {version:UInt64} ORDER BY version',
        params: { version },
      }),
    streamStatesSince: (version: number) =>
      clickhouse.rows<{ schema: string; stream: string; state: number }>({
        text: 'SELECT schema, stream, state FROM weir.stream_states FINAL WHERE version > {version:UInt64}',
        params: { version },
      }),
    /** The greatest version of any schema, state, table, deletion, saved question, hook or source, 0 where there is none. */
    async version(): Promise<number> {
      const tables = ['schemas', 'stream_states', 'tables', 'kept', 'saved', 'hooks', 'sources'].map(
        (table) => `(SELECT max(version) FROM weir.${table})`,
      )
      const [row] = await all<{ version: string }>(`SELECT toString(greatest(${tables.join(', ')})) AS version`)
      return Number(row?.version ?? 0)
    },
    putStreamState: (schema: string, stream: string, state: 0 | 1) =>
      put('stream_states', { schema, stream, state }, nextVersion()),

    /** Forgets states and pivots of a schema's streams, or of the one stream, and notes when. */
    async forget(schema: string, stream?: string): Promise<void> {
      const params = { schema, queue: `${schema}.${stream ?? ''}` }
      const isOf = (name: string) =>
        stream === undefined ? `startsWith(${name}, {queue:String})` : `${name} = {queue:String}`
      await clickhouse.run({ text: `DELETE FROM weir.pivots WHERE ${isOf('stream')}`, params })
      const states = stream === undefined ? '' : "AND concat(schema, '.', stream) = {queue:String}"
      await clickhouse.run({ text: `DELETE FROM weir.stream_states WHERE schema = {schema:String} ${states}`, params })
      for (const prefix of ['complete ', erased, sessions]) {
        const among = isOf(`substring(name, length('${prefix}') + 1)`)
        await clickhouse.run({
          text: `DELETE FROM weir.settings WHERE startsWith(name, '${prefix}') AND ${among}`,
          params,
        })
      }
      const name = `${gone}${schema}${stream === undefined ? '' : `.${stream}`}`
      await put('settings', { name, value: String(Date.now() * 1000) })
    },

    /** When a schema of that name, or a stream `schema.stream`, last went, in microseconds since 1970. */
    async goneAt(): Promise<ReadonlyMap<string, number>> {
      const text = 'SELECT name, value FROM weir.settings FINAL WHERE startsWith(name, {gone:String})'
      const rows = await clickhouse.rows<{ name: string; value: string }>({ text, params: { gone } })
      return new Map(rows.map(({ name, value }) => [name.slice(gone.length), Number(value)]))
    },

    /** The horizon of each process, by its id. */
    async horizons(): Promise<ReadonlyMap<string, Horizon>> {
      const text = 'SELECT name, value FROM weir.settings FINAL WHERE startsWith(name, {horizon:String})'
      const rows = await clickhouse.rows<{ name: string; value: string }>({ text, params: { horizon } })
      return new Map(rows.map(({ name, value }) => [name.slice(horizon.length), JSON.parse(value)]))
    },
    putHorizon: (id: string, value: Horizon) =>
      put('settings', { name: `${horizon}${id}`, value: JSON.stringify(value) }),
    /** Forgets processes that have written none since a time: one without a log of its own has another id at each start. */
    forgetHorizons: (before_us: number): Promise<void> =>
      clickhouse.run({
        text: 'DELETE FROM weir.settings WHERE startsWith(name, {horizon:String}) AND version < {before:UInt64}',
        params: { horizon, before: before_us },
      }),

    /** From when on a stream has all its events, in microseconds, where it had lost some before they were to stay longer. */
    async completeSince(queue: string): Promise<number | undefined> {
      const value = await setting(`complete ${queue}`)
      return value === undefined ? undefined : Number(value)
    },
    putCompleteSince: (queue: string, us: number) => put('settings', { name: `complete ${queue}`, value: String(us) }),

    /** From which `_seq` on a stream's events are in the sessions that its edits have brought; undefined where they were in all along. */
    async sessionsSince(queue: string): Promise<number | undefined> {
      const value = await setting(`${sessions}${queue}`)
      return value === undefined ? undefined : Number(value)
    },
    async putSessionsSince(queue: string): Promise<void> {
      const us = now_us()
      await put('settings', { name: `${sessions}${queue}`, value: String(us) }, us)
    },

    /** By stream; streams that have lost nothing are left out. */
    async erased(schema: string): Promise<ReadonlyMap<string, Erased>> {
      const prefix = `${erased}${schema}.`
      const text = 'SELECT name, value FROM weir.settings FINAL WHERE startsWith(name, {prefix:String})'
      const rows = await clickhouse.rows<{ name: string; value: string }>({ text, params: { prefix } })
      return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), erasedIn(value)]))
    },
    putErased: (queue: string, value: Erased) =>
      put('settings', { name: `${erased}${queue}`, value: JSON.stringify(value) }),

    /** The process whose log has the order of a schema with rules, and their memory. */
    orderOwner: (schema: string) => setting(`rules ${schema}`),
    putOrderOwner: (schema: string, id: string) => put('settings', { name: `rules ${schema}`, value: id }),

    pivots: () =>
      all<{ stream: string; attribute: string; value: number }>(
        'SELECT stream, attribute, value FROM weir.pivots FINAL',
      ),
    putPivot: (stream: string, attribute: string, value: number) => put('pivots', { stream, attribute, value }),

    /** The consumer groups of the topics of a schema. */
    consumers: (schema: string) =>
      clickhouse.rows<{ queue: string; consumer_group: string }>({
        text: "SELECT queue, consumer_group FROM weir.consumers FINAL WHERE startsWith(queue, concat({schema:String}, '.'))",
        params: { schema },
      }),
    putConsumer: (queue: string, consumer_group: string) => put('consumers', { queue, consumer_group }),
    forgetConsumer: (queue: string) =>
      clickhouse.run({ text: 'DELETE FROM weir.consumers WHERE queue = {queue:String}', params: { queue } }),

    /**
     * The number to add to the offsets of a queue's topic, so that positions grow though a topic that is made again
     * begins at 0.
     */
    async positionBase(queue: string): Promise<number> {
      const text = 'SELECT toFloat64(base) AS base FROM weir.topic_positions FINAL WHERE queue = {queue:String}'
      return (await clickhouse.rows<{ base: number }>({ text, params: { queue } }))[0]?.base ?? 0
    },
    putPositionBase: (queue: string, base: number) => put('topic_positions', { queue, base }),

    /** The kind of log from which the tables were last fed. */
    logKind: () => setting('log'),
    putLogKind: (value: string) => put('settings', { name: 'log', value }),

    /** Whether the one process on its ClickHouse runs, or has stopped as it should. */
    processState: () => setting('process'),
    putProcessState: (value: 'running' | 'stopped') => put('settings', { name: 'process', value }),

    /** A secret of that name, made at its first use. */
    async secret(name: string): Promise<string> {
      const known = await all<{ name: string; value: string }>('SELECT name, value FROM weir.secrets FINAL')
      const value = known.find((each) => each.name === name)?.value ?? randomBytes(32).toString('base64')
      if (known.every((each) => each.name !== name)) await put('secrets', { name, value })
      return value
    },
  }
}

export type Catalogue = ReturnType<typeof createCatalogue>
