import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import { qualified } from '../../sql/identifier.ts'
import { compileOldest } from '../../sql/query/compile/intervals.ts'
import { derivedTables } from '../../sql/schema/ddl/schema.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { RegisteredStream, Registry } from './registry.ts'
import type { SchemaEdits } from './schema-edits.ts'

export type Rebuild = {
  readonly state: 'running' | 'done' | 'failed'
  /** Aggregates that are complete, out of how many. */
  readonly done: number
  readonly total: number
}

export type RebuildsDeps = {
  readonly clickhouse: ClickHouse
  readonly registry: Registry
  readonly edits: SchemaEdits
  readonly logger: Logger
}

/** Background jobs that make the aggregates of a stream anew from its events. */
export function createRebuilds({ clickhouse, registry, edits, logger }: RebuildsDeps) {
  const rebuilds = new Map<string, Rebuild>()

  /** Aggregates outlive the events: those of expired ones could not be made again. */
  async function refuseLoss({ schema, stream }: RegisteredStream): Promise<void> {
    if (stream.window === 0) return
    const cutoff_us = (Date.now() - stream.window * 1000) * 1000
    for (const { aggregate } of derivedTables(schema, stream)) {
      const table = qualified(schema.name, aggregate.table)
      const older = await clickhouse.rows(compileOldest(table, cutoff_us))
      if (older.length > 0) {
        const name = queueName(schema.name, stream.name)
        throw fault(
          'conflict',
          `aggregates of ${name} hold events that have expired and would be lost; ?force=1 rebuilds all the same`,
        )
      }
    }
  }

  return {
    of: (schema: string, stream: string): Rebuild | undefined => rebuilds.get(queueName(schema, stream)),

    /** Begins a rebuild and returns; one that is under way goes on alone. */
    async start(schema: string, stream: string, force: boolean): Promise<void> {
      const target = registry.stream(schema, stream)
      const name = queueName(schema, stream)
      if (target.stream.kind === 'entity')
        throw fault('invalid', `${name} is an entity stream: rebuild the streams that feed it`)
      if (rebuilds.get(name)?.state === 'running') throw fault('conflict', `${name} is being rebuilt already`)
      if (!force) await refuseLoss(target)
      rebuilds.set(name, { state: 'running', done: 0, total: 0 })
      edits
        .rebuild(schema, stream, (done, total) => rebuilds.set(name, { state: 'running', done, total }))
        .then(
          () => rebuilds.set(name, { ...(rebuilds.get(name) ?? { done: 0, total: 0 }), state: 'done' }),
          (error: unknown) => {
            logger.error({ err: error, stream: name }, 'rebuild failed')
            rebuilds.set(name, { ...(rebuilds.get(name) ?? { done: 0, total: 0 }), state: 'failed' })
          },
        )
    },
  }
}

export type Rebuilds = ReturnType<typeof createRebuilds>
