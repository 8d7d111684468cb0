import { join } from 'node:path'
import { fault } from '../../base/faults.ts'
import { inTime } from '../../base/in-time.ts'
import type { Config } from '../../infra/config.ts'
import { homeIn } from '../../infra/data-folder/home.ts'
import { createLeases } from '../../infra/processes/leases.ts'
import { openPlaces } from '../../infra/sources/places.ts'
import { isUnknownTopic, openTopic, type Range } from '../../infra/sources/topic.ts'
import { reasonOf } from '../../infra/unfinished.ts'
import type { World } from '../../infra/world.ts'
import { type Accept, ingestOf } from '../ingest/accept.ts'
import type { RefusedEvents } from '../ingest/refused-events.ts'
import type { Registry } from '../registry/registry.ts'
import type { SentSource } from './definition.ts'
import { createKeeper } from './keeper.ts'
import { firstProgress, maxPartitions, type Progress } from './progress.ts'
import { settingsOf } from './settings.ts'
import { createSources, type NamedSource, type SourceChange } from './sources.ts'
import { createSourceStore } from './store.ts'

export type SourceEngineDeps = {
  readonly config: Pick<Config, 'DATA_DIR' | 'MAX_BODY_MB' | 'NOTIFY_PRIVATE'>
  readonly world: Pick<World, 'sourceCatalogue' | 'clickhouse' | 'sharing' | 'clock' | 'metrics' | 'logger'>
  readonly registry: Registry
  readonly accept: Accept
  readonly refusedEvents: Pick<RefusedEvents, 'add'>
}

const megabyte = 1024 * 1024
const patience_ms = 5_000

/** A source as its readers see it. */
export type ShownSource = NamedSource & {
  readonly progress: Progress
  readonly state: Progress['state'] | 'off'
  readonly reason?: string
}

/** Topics of others that become events (docs/doors.md). */
export function createSourceEngine({ config, world, registry, accept, refusedEvents }: SourceEngineDeps) {
  const { clickhouse, sharing, metrics, logger } = world
  const store = createSourceStore(clickhouse)
  const home = homeIn(config.DATA_DIR, 'sources')
  const places = openPlaces(join(config.DATA_DIR, 'sources'))
  const sources = createSources({
    ...{ catalogue: world.sourceCatalogue, exclusively: sharing.changeTables, now_us: world.clock.next },
    changed: (name) => void keeper.changed(name),
  })
  const keeper = createKeeper({
    ...{ store, places, home, accept, registry, refusedEvents, clickhouse, sharing, metrics, logger },
    leases: sharing.isShared ? createLeases({ clickhouse, id: sharing.id }) : undefined,
    sources: () => sources,
    limit: config.MAX_BODY_MB * megabyte,
    allowsInternal: config.NOTIFY_PRIVATE === '1',
  })
  metrics.watchSources(keeper.lags)

  /** The partitions that the topic has now; a fault says why it cannot be read. */
  async function look(of: Pick<NamedSource, 'source' | 'secrets'>): Promise<ReadonlyMap<number, Range>> {
    const { brokers, topic: name } = of.source.kafka
    const topic = await openTopic(settingsOf(of), name, logger)
    const late = () => new Error(`no answer within ${patience_ms / 1000} s`)
    try {
      const partitions = await inTime(topic.partitions(), patience_ms, late)
      if (partitions.length > maxPartitions)
        throw fault(
          'invalid',
          `kafka.topic: ${name} has ${partitions.length} partitions, and ${maxPartitions} is the most`,
        )
      return await inTime(topic.ranges(partitions), patience_ms, late)
    } catch (error) {
      if (isUnknownTopic(error))
        throw fault('invalid', `kafka.topic: there is no topic ${name} at ${brokers.join(', ')}`)
      if (error instanceof Error && !('kind' in error))
        throw fault('invalid', `kafka.brokers: ${brokers.join(', ')} cannot be read from: ${reasonOf(error)}`, {
          cause: error,
        })
      throw error
    } finally {
      topic.close()
    }
  }

  /** Where each partition begins, if the source begins anew. */
  async function startsOf(name: string, sent: SentSource): Promise<Record<string, number>> {
    const { secrets, isChanged } = sources.wouldPut(name, sent)
    if (!isChanged) return {}
    const { from } = sent.source
    const ranges = await look({ source: sent.source, secrets })
    return Object.fromEntries(Array.from(ranges, ([id, { first, end }]) => [id, from === 'latest' ? end : first]))
  }

  /** Whether the process that reads it is gone amid a batch, of which its log alone knows whether it is in. */
  const isLeft = ({ process, isAhead, home: its }: Progress, living: ReadonlySet<string>): boolean =>
    process !== '' && process !== sharing.id && !living.has(process) && isAhead && its !== home

  function shown(named: NamedSource, kept: Progress | undefined, living: ReadonlySet<string>): ShownSource {
    const own = keeper.progress(named.name)
    const found = own ?? kept
    const progress = found?.run === named.run ? found : firstProgress(named, named.at)
    if (!named.on) return { ...named, progress, state: 'off' }
    if (!own && isLeft(progress, living))
      return {
        ...{ ...named, progress, state: 'waiting' },
        reason: `the process whose log has its latest messages is away; it goes on when that is back, or by PUT /source/${named.name}/ON?force=1, by which the last of them may come twice`,
      }
    return { ...named, progress, ...stateOf(progress) }
  }

  const stateOf = ({ state, reason }: Progress) => ({ state, ...(reason !== undefined && { reason }) })

  /** `dry` looks at all that a change would look at. */
  async function put(name: string, sent: SentSource, author: string, dry: boolean): Promise<SourceChange> {
    const { schema, stream } = sent.source.into
    ingestOf(registry.stream(schema, stream))
    const starts = await startsOf(name, sent)
    return dry ? sources.wouldPut(name, sent) : sources.put(name, sent, starts, author)
  }

  return {
    sources,
    put,

    async find(name: string): Promise<ShownSource | undefined> {
      const named = sources.find(name)
      return named && shown(named, await store.find(name), await sharing.living())
    },

    async list(): Promise<ShownSource[]> {
      const [kept, living] = await Promise.all([store.all(), sharing.living()])
      return sources.list().map((named) => shown(named, kept.get(named.name), living))
    },

    /**
     * Goes on with a source whose process is gone amid a batch, without that process: messages of the batch may come twice, and the
     * counts begin anew. A fault `conflict` where no such process is waited for.
     */
    async goOn(name: string, author: string): Promise<void> {
      const named = sources.find(name)
      if (!named) throw sources.missing(name)
      const progress = await store.find(name)
      if (!named.on || progress?.run !== named.run || !isLeft(progress, await sharing.living()))
        throw fault('conflict', `force: source ${name} waits for no process that is away; leave force out`)
      const starts = Object.entries(progress.partitions).map(([partition, { next }]) => [partition, next])
      await sources.restart(name, Object.fromEntries(starts), author)
    },

    async remove(name: string, author: string): Promise<void> {
      await sources.remove(name, author)
      await keeper.forget(name)
    },

    failing: keeper.failing,
    open: keeper.open,
    async close(): Promise<void> {
      await keeper.close()
      await places.close()
    },
  }
}

export type SourceEngine = ReturnType<typeof createSourceEngine>
