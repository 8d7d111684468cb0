import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { Registry } from '../schemas/registry.ts'
import { createFollowAnswers } from './follow-answers.ts'
import { createFollowEvents } from './follow-events.ts'
import { createHorizons } from './horizons.ts'
import { createPieces } from './pieces.ts'
import { createReaders } from './readers.ts'

export type LiveEngineDeps = {
  readonly config: Pick<Config, 'MAX_LIVE'>
  readonly world: Pick<World, 'clickhouse' | 'catalogue' | 'feeder' | 'arrivals' | 'metrics' | 'logger'>
  readonly registry: Registry
}

/** Live streams of events, and of answers to queries (docs/streams.md). */
export function createLiveEngine({ config, world, registry }: LiveEngineDeps) {
  const readers = createReaders(config.MAX_LIVE)
  const pieces = createPieces(world)
  world.metrics.watchLive(readers.count)
  return {
    readers,
    events: createFollowEvents({ ...world, registry, readers, pieces, horizons: createHorizons(world) }),
    answers: createFollowAnswers({ readers }),
    /** Ends all streams, each after a whole event. */
    close(): void {
      readers.close()
      pieces.close()
    },
  }
}

export type LiveEngine = ReturnType<typeof createLiveEngine>
