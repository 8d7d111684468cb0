import type { Registry } from '../activities/registry/registry.ts'
import type { SchemaEdits } from '../activities/schemas/edit/edits.ts'
import { holdsExpired } from '../activities/schemas/rebuild/find-loss.ts'
import { Fault, fault } from '../base/faults.ts'
import { type Catalogue, lastGone } from '../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import { queueName } from '../sql/schema/names.ts'
import type { StreamIncarnation } from '../workflows/ids.ts'
import type { workflows } from '../workflows/index.ts'
import type { RebuildProgress } from '../workflows/rebuild-stream.ts'

export type Rebuild = RebuildProgress & { readonly state: 'running' | 'done' | 'failed' | 'cancelled' }

export type RebuildsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registry: Registry
  readonly edits: Pick<SchemaEdits, 'quiesce'>
  readonly orchestrator: Orchestrator<typeof workflows>
}

/** Background jobs that make the aggregates of a stream anew from its events. */
export function createRebuilds({ clickhouse, catalogue, registry, edits, orchestrator }: RebuildsDeps) {
  /** Throws a fault `conflict` where aggregates count events that have expired: a rebuild would lose them. */
  async function refuseLoss(schema: string, stream: string): Promise<void> {
    const target = registry.stream(schema, stream)
    if (await holdsExpired({ clickhouse, catalogue, quiesce: edits.quiesce }, target.schema, target.stream)) {
      throw fault(
        'conflict',
        `aggregates of ${queueName(schema, stream)} hold events that have expired and would be lost; ?force=1 rebuilds all the same`,
      )
    }
  }

  return {
    refuseLoss,

    /** The last rebuilds of streams of a schema, by the stream; without those of which there was none, and while states are unknown. */
    async of(schema: string, streams: readonly string[]): Promise<ReadonlyMap<string, Rebuild>> {
      const goneAt = await catalogue.goneAt()
      const keys = streams.map((stream) => incarnation(goneAt, schema, stream))
      const runs = await orchestrator.findAll('rebuildStream', keys).catch((error: unknown) => {
        if (error instanceof Fault) return []
        throw error
      })
      const found = new Map<string, Rebuild>()
      for (const [place, run] of runs.entries()) {
        const stream = streams[place]
        if (run === undefined || stream === undefined) continue
        const known = run.state === 'running' ? run.progress : run.state === 'done' ? run.result : undefined
        const progress: RebuildProgress = known ?? { done: 0, total: 0 }
        found.set(stream, { state: run.state, ...progress })
      }
      return found
    },

    /** Begins a rebuild and returns; one that is under way goes on alone. */
    async start(schema: string, stream: string, force: boolean): Promise<void> {
      const target = registry.stream(schema, stream)
      const name = queueName(schema, stream)
      if (target.stream.kind === 'entity')
        throw fault('invalid', `${name} is an entity stream: rebuild the streams that feed it`)
      const present = incarnation(await catalogue.goneAt(), schema, stream)
      const last = await orchestrator.find('rebuildStream', present)
      if (last?.state === 'running') throw fault('conflict', `${name} is being rebuilt already`)
      if (!force) await refuseLoss(schema, stream)
      await orchestrator.start('rebuildStream', present)
    },
  }
}

/** The stream of that name that is there now: a rebuild of one that had the name before has another id. */
const incarnation = (goneAt: ReadonlyMap<string, number>, schema: string, stream: string): StreamIncarnation => ({
  schema,
  stream,
  after_us: lastGone(goneAt, schema, queueName(schema, stream)),
})

export type Rebuilds = ReturnType<typeof createRebuilds>
