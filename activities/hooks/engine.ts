import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { Accept } from '../ingest/accept.ts'
import type { RefusedEvents } from '../ingest/refused-events.ts'
import type { Registry } from '../registry/registry.ts'
import { createDeliveries } from './deliveries.ts'
import { createHooks } from './hooks.ts'
import { createReceive } from './receive.ts'

export type HookEngineDeps = {
  readonly config: Pick<Config, 'MAX_BODY_MB'>
  readonly world: Pick<World, 'hookCatalogue' | 'sharing' | 'clock' | 'metrics'>
  readonly registry: Registry
  readonly accept: Accept
  readonly refusedEvents: Pick<RefusedEvents, 'add' | 'count'>
}

const megabyte = 1024 * 1024

/** Doors for signed webhooks: their definitions, and deliveries to them (docs/doors.md). */
export function createHookEngine({ config, world, registry, accept, refusedEvents }: HookEngineDeps) {
  const { hookCatalogue: catalogue, sharing, clock, metrics } = world
  const deliveries = createDeliveries()
  const hooks = createHooks({
    ...{ catalogue, exclusively: sharing.changeTables, now_us: clock.next },
    gone(name) {
      deliveries.forget(name)
      metrics.forgetHook(name)
    },
  })
  const limit = config.MAX_BODY_MB * megabyte
  return {
    hooks,
    deliveries,
    receive: createReceive({ registry, accept, refusedEvents, deliveries, metrics, limit }),
  }
}

export type HookEngine = ReturnType<typeof createHookEngine>
