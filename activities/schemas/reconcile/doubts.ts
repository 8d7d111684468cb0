import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import type { Doubt, Feeder } from '../../../infra/log/port.ts'
import type { Logger } from '../../../infra/logger.ts'
import { queueNames } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Reconcile } from './reconcile.ts'

export type DoubtsDeps = {
  readonly registry: Pick<Registry, 'find'>
  readonly feeder: Pick<Feeder, 'doubts' | 'settle' | 'caughtUp' | 'leftBehind'>
  readonly reconcile: Pick<Reconcile, 'compare'>
  readonly catalogue: Pick<Catalogue, 'schemas'>
  readonly logger: Logger
}

const maxFailures = 5
const [shortestPause_ms, longestPause_ms] = [1_000, 60_000]
/** A start waits no longer for a batch that a power cut met, and for the tables that it may have left wrong. */
const longestStart_ms = 20_000

const schemaOf = ({ queue }: Doubt): string => queue.slice(0, queue.indexOf('.'))

/** An interval is compared as a whole, or not at all. */
const longestInterval_us = ({ streams }: Schema): number =>
  1e6 *
  Math.max(
    0,
    ...streams.flatMap(({ attributes, groupBys }) => [...attributes, ...groupBys].map((each) => each.granularity)),
  )

/**
 * Compares events that some table may have taken twice with all that is derived from them: those of a batch that was
 * repeated when its token may have been forgotten, that a power cut met, or that was cut after it had been tried whole.
 * The log keeps each doubt until its schema was compared (docs/adr/0005-doubts-after-a-power-cut.md).
 */
export function createDoubts({ registry, feeder, reconcile, catalogue, logger }: DoubtsDeps) {
  let stopped = false
  let settling: Promise<void> | undefined
  let isMore = false
  /** Comparisons in a row that failed, by schema: after some it is for an operator, and the next start tries again. */
  const failures = new Map<string, number>()
  const open = (): Doubt[] => feeder.doubts().filter((doubt) => (failures.get(schemaOf(doubt)) ?? 0) < maxFailures)

  async function settleAll(): Promise<void> {
    for (let pause_ms = shortestPause_ms; !stopped; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      isMore = false
      await settleEach().catch((error: unknown) => logger.warn({ err: error }, 'doubts not settled, retrying'))
      if (stopped || open().length === 0) return
      if (!isMore) await sleep(pause_ms, undefined, { ref: false })
    }
  }

  async function settleEach(): Promise<void> {
    const doubts = open()
    if (doubts.length === 0) return
    const states = new Map((await catalogue.schemas()).map(({ name, state }) => [name, state]))
    for (const name of new Set(doubts.map(schemaOf))) {
      const some = doubts.filter((doubt) => schemaOf(doubt) === name)
      const schema = registry.find(name)?.schema
      const state = states.get(name)
      if (stopped) return
      if (state !== undefined && (state !== 'ready' || !schema)) continue
      if (schema) {
        logger.info({ schema: name }, 'a batch may be in some tables twice, reconciling')
        const isBehind = await feeder.caughtUp(queueNames(schema)).then(
          () => false,
          () => true,
        )
        if (isBehind) continue
        const since_us = Math.min(...some.map((doubt) => doubt.since_us)) - longestInterval_us(schema)
        if (!(await reconcile.compare(schema, since_us))) {
          failures.set(name, (failures.get(name) ?? 0) + 1)
          continue
        }
        failures.delete(name)
      }
      if (stopped) return
      for (const doubt of some) await feeder.settle(doubt)
    }
  }

  function settle(): Promise<void> {
    isMore = true
    settling ??= settleAll().finally(() => {
      settling = undefined
    })
    return settling
  }

  return {
    /** From now on each doubt is settled. `isAlone`: resolves once those of the last process are, or after 20 seconds. */
    async start(isAlone: boolean): Promise<void> {
      const expired = sleep(longestStart_ms, undefined, { ref: false })
      feeder.doubts(() => void settle())
      if (isAlone) await feeder.caughtUp(feeder.leftBehind(), longestStart_ms).catch(() => {})
      const settled = settle()
      if (isAlone) await Promise.race([settled, expired])
    },
    stop(): void {
      stopped = true
    },
  }
}
