import { randomBytes } from 'node:crypto'
import { fault } from '../../../base/faults.ts'
import { type Catalogue, lastGone } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  beginRebuild,
  compileRebuildTables,
  fillNodes,
  fillTarget,
  killRebuild,
  rebuildTargets,
  swapTarget,
} from '../../../sql/schema/ddl/edit/rebuild.ts'
import { entityNames } from '../../../sql/schema/ddl/entities.ts'
import { queueName } from '../../../sql/schema/names.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import type { Rules } from '../../rules/rules.ts'
import { markedTables } from '../edit/places.ts'
import type { Quiesce } from '../edit/quiesce.ts'
import { afterRebuild } from '../erase/erased.ts'
import { dropRebuilds, takeAway } from './drop-rebuilds.ts'

export type RebuildDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'erased' | 'putErased' | 'goneAt'>
  readonly quiesce: Quiesce
  readonly rules: Pick<Rules, 'refill'>
  /** The schema as it is now. */
  readonly schema: (name: string) => Schema
}

type StreamRequest = { readonly schema: string; readonly stream: string }
/** `after_us`: when the stream went that had the name before, 0 for the first one; earlier versions did not write it down. */
type IncarnationRequest = StreamRequest & { readonly after_us?: number }
type RebuildRequest = StreamRequest & { readonly token: string }

type FillRequest = RebuildRequest & {
  readonly index: number
  /** The name of the table that is filled, for people. */
  readonly name: string
}

type Begun = {
  /** Tells this rebuild from any other. */
  readonly token: string
  /** Absent in what an earlier version began. */
  readonly begun_us?: number
  /** The tables to fill, in order, by their names for people. */
  readonly names: readonly string[]
}

/** The stream of that name; a fault `missing` where it is gone. */
function streamIn(schema: Schema, name: string): Stream {
  const stream = schema.streams.find((each) => each.name === name)
  if (stream) return stream
  throw fault('missing', `no stream ${name} in schema ${schema.name}`)
}

const wentAmid = ({ schema, stream }: StreamRequest) =>
  fault('missing', `stream ${queueName(schema, stream)} was deleted; the one that has its name now is another`)

/** The steps of a rebuild, each repeatable at any time. They make the tables of `sql/schema/ddl/edit/rebuild.ts`. */
export function createRebuildActivities({ clickhouse, catalogue, quiesce, rules, schema: schemaOf }: RebuildDeps) {
  /** Whether the stream of that name has gone since, though there may be another one. */
  async function isOfFormer({ schema, stream, after_us }: IncarnationRequest): Promise<boolean> {
    if (after_us === undefined) return false
    return lastGone(await catalogue.goneAt(), schema, queueName(schema, stream)) !== after_us
  }

  async function tablesOf(token: string): Promise<Set<string>> {
    const rows = await clickhouse.rows<{ name: string }>(compileRebuildTables(token))
    return new Set(rows.map(({ name }) => name))
  }

  /**
   * Other rebuilds that replace a table of this one too have a copy of it from before, and would bring that back: they
   * begin again.
   */
  async function dropSharing(schema: Schema, stream: string): Promise<void> {
    const placesOf = (each: Stream): string[] =>
      rebuildTargets(schema, each).flatMap(({ database, table, isShared }) =>
        isShared ? [`${database}.${table}`] : [],
      )
    const own = new Set(placesOf(streamIn(schema, stream)))
    for (const each of schema.streams) {
      if (each.name !== stream && placesOf(each).some((place) => own.has(place))) {
        await dropRebuilds(clickhouse, schema.name, each.name)
      }
    }
  }

  /** An erasure takes away the rebuilds that it meets: so all aggregates now fit the events that are left. */
  async function forgetErased(schema: string, stream: string): Promise<void> {
    const erased = (await catalogue.erased(schema)).get(stream)
    if (erased) await catalogue.putErased(queueName(schema, stream), afterRebuild(erased))
  }

  return {
    /** Keeps the events as they are, and from now on the rows that come in for each aggregate too. */
    async beginRebuild(request: IncarnationRequest): Promise<Begun> {
      if (!(await isOfFormer(request))) await dropRebuilds(clickhouse, request.schema, request.stream)
      return quiesce(request.schema, async (schema) => {
        if (await isOfFormer(request)) throw wentAmid(request)
        const stream = streamIn(schema, request.stream)
        const token = randomBytes(6).toString('hex')
        await runAll(clickhouse, beginRebuild(schema, stream, token))
        const targets = rebuildTargets(schema, stream).map(({ table }) => table)
        return {
          token,
          begun_us: Date.now() * 1000,
          names: [...targets, ...fillNodes(schema, stream, token).map(() => 'nodes of the graph')],
        }
      })
    },

    /** Brings the kept events into one aggregate; false where an edit has taken the rebuild away. */
    async fillAggregate(request: FillRequest, signal: AbortSignal): Promise<boolean> {
      const { token, index } = request
      const present = await tablesOf(token)
      if (present.size === 0) return false
      if (present.has(`t${index}_fill`)) return true

      const schema = schemaOf(request.schema)
      const stream = streamIn(schema, request.stream)
      const targets = rebuildTargets(schema, stream)
      const target = targets[index]
      const statements = target
        ? fillTarget(target, { token, index }, randomBytes(4).toString('hex'))
        : fillNodes(schema, stream, token).slice(index - targets.length, index - targets.length + 1)
      const kill = (): void => {
        clickhouse.run(killRebuild(token)).catch(() => {})
      }
      signal.addEventListener('abort', kill)
      try {
        for (const statement of statements) {
          signal.throwIfAborted()
          await clickhouse.run(statement)
        }
        return true
      } catch (error) {
        const left = signal.aborted ? present : await tablesOf(token)
        if (left.has(`t${index}_fill`)) return true
        if (left.size === 0) return false
        throw error
      } finally {
        signal.removeEventListener('abort', kill)
      }
    },

    /**
     * Puts the new aggregates in place of the old ones, all while no event is on its way; false where an edit has taken the
     * rebuild away. Goes on with a swap that a crash has cut off: the tables themselves show which are in place.
     */
    async swapAggregates({ schema: name, stream, token }: RebuildRequest): Promise<boolean> {
      const isDone = await quiesce(name, async (schema) => {
        const targets = rebuildTargets(schema, streamIn(schema, stream))
        const places = await markedTables(clickhouse, token)
        const waiting = targets.flatMap((target, index) =>
          places.has(`${target.database}.${target.table}`) ? [] : [{ target, index }],
        )
        const tables = await tablesOf(token)
        // A table without its feed lacks the events since the feed was taken away: the process that did so may have been cut off.
        if (waiting.some(({ index }) => !tables.has(`t${index}_fill`) || !tables.has(`t${index}_feed`))) return false
        for (const { target, index } of waiting) await runAll(clickhouse, swapTarget(target, { token, index }))
        await dropSharing(schema, stream)
        await forgetErased(schema.name, stream)
        return true
      })
      if (!isDone) return false
      // References remember rows of entities as they were.
      await rules.refill(name, entityNames(schemaOf(name)))
      await takeAway(clickhouse, token)
      return true
    },

    /** The tables that were begun for a stream that has gone went with it: another one of its name keeps its own. */
    async abandonRebuild(request: IncarnationRequest): Promise<void> {
      if (!(await isOfFormer(request))) await dropRebuilds(clickhouse, request.schema, request.stream)
    },
  }
}

export type RebuildActivities = ReturnType<typeof createRebuildActivities>
