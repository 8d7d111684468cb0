import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { Registry } from '../registry/registry.ts'
import { createFollowAnswers } from './follow-answers.ts'
import { createFollowEvents } from './follow-events.ts'
import { createHorizons } from './horizons.ts'
import { createOtherProcesses } from './other-processes.ts'
import { createPieces } from './pieces.ts'
import { createReaders } from './readers.ts'

export type LiveEngineDeps = {
  readonly config: Pick<Config, 'MAX_LIVE'>
  readonly world: Pick<
    World,
    'clickhouse' | 'queries' | 'catalogue' | 'feeder' | 'arrivals' | 'sharing' | 'metrics' | 'logger'
  >
  readonly registry: Registry
}

/** Live streams of events, and of answers to queries (docs/streams.md). */
export function createLiveEngine({ config, world, registry }: LiveEngineDeps) {
  const readers = createReaders(config.MAX_LIVE)
  const pieces = createPieces(world)
  const others = world.sharing.isShared ? createOtherProcesses({ ...world, registry }) : undefined
  const horizons = createHorizons({ ...world, ...(others && { others }) })
  world.metrics.watchLive(readers.count)
  return {
    readers,
    events: createFollowEvents({ ...world, registry, readers, pieces, horizons }),
    answers: createFollowAnswers({ readers }),
    /** Begins to follow the other processes; called once events are fed. */
    open: (): void => void others?.run(),
    /** Ends all streams, each after a whole event. */
    close(): void {
      readers.close()
      pieces.close()
      others?.close()
    },
  }
}

export type LiveEngine = ReturnType<typeof createLiveEngine>
