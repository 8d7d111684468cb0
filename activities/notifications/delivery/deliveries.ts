import { setTimeout as sleep } from 'node:timers/promises'
import { isOver } from '../../../base/states.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { LogStore } from '../log-store.ts'
import { type Delivery, type DeliveryResult, type DeliveryRetry, deliveryStates } from './delivery.ts'
import { createEndpointQueues, keyOf, maxHeld } from './endpoint-queues.ts'
import type { TryDelivery } from './try-delivery.ts'

export type DeliveriesDeps = {
  /** Whether other processes, too, are asked for tries. */
  readonly isShared: boolean
  readonly store: Pick<LogStore, 'pending' | 'putResults' | 'retries' | 'named' | 'endRetries'>
  readonly tryDelivery: TryDelivery
  readonly now_us: () => number
  readonly logger: Logger
}

const tick_ms = 200
/** Questions to ClickHouse for further deliveries may take this part of the time. */
const partOfTime = 0.1
const again_ms = 1_000
/** How often it is looked whether tries are asked for. */
const retries_ms = 1_000
/** The pause before a try that could not be begun is made again. */
const unreadable_us = 5_000_000

/**
 * Makes the pending deliveries, endpoint by endpoint, and writes down their results, many in one insert. Deliveries that a
 * process leaves at its end are pending in ClickHouse, and `start` takes them up.
 */
export function createDeliveries({ isShared, store, tryDelivery, now_us, logger }: DeliveriesDeps) {
  let queues = createEndpointQueues()
  let stopped = new AbortController()
  let results: DeliveryResult[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Deliveries that have ended here, and perhaps not yet in ClickHouse. */
  const unwritten = new Set<string>()
  let written: string[] = []
  let nextRefill = 0
  /** Whether a try may be asked for that was not made yet. */
  let isAsked = true
  let nextRetries = 0
  let isReading = false

  function pump(): void {
    if (stopped.signal.aborted || timer === undefined) return
    for (let due = queues.next(now_us()); due; due = queues.next(now_us())) void begin(due)
  }

  async function begin(delivery: Delivery): Promise<void> {
    const { signal } = stopped
    const of = queues
    const { asked } = delivery
    // This try answers every request from before it began.
    const answers = asked === undefined ? undefined : Math.max(asked + 1, now_us())
    try {
      const result = await tryDelivery(delivery, signal)
      if (signal.aborted) return
      of.ended(delivery, result.state === 'delivered')
      results.push({ ...result, ...(answers !== undefined && { answers }) })
      unwritten.add(keyOf(delivery))
      writing ??= write(signal)
      if (result.nextTry !== undefined) of.add(due(result.delivery))
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ err: error, notifid: delivery.notifid }, 'notification not read for its delivery, retrying')
      of.ended(delivery, false)
      of.add({ ...delivery, nextTry: now_us() + unreadable_us })
    }
    pump()
  }

  async function write(signal: AbortSignal): Promise<void> {
    for (;;) {
      const batch = results
      results = []
      try {
        await store.putResults(batch)
        written.push(...batch.map(({ delivery }) => keyOf(delivery)))
        if (!isReading) forgetWritten()
      } catch (error) {
        logger.warn({ err: error }, 'results of deliveries not written, retrying')
        results = [...batch, ...results]
        if (signal.aborted) break
        await sleep(again_ms, undefined, { ref: false, signal }).catch(() => {})
      }
      if (results.length === 0) break
    }
    writing = undefined
  }

  function forgetWritten(): void {
    for (const key of written) unwritten.delete(key)
    written = []
  }

  /** An answer may lack results that were written while ClickHouse made it: no delivery that has ended comes back. */
  async function refill(): Promise<void> {
    const wanting = queues.wanting()
    const began = performance.now()
    if (wanting.length === 0 || isReading || began < nextRefill) return
    isReading = true
    const of = queues
    try {
      for (const endpoint of wanting) {
        const pending = await store.pending(now_us(), maxHeld, endpoint)
        if (of === queues) of.refill(endpoint, pending, unwritten)
      }
    } catch (error) {
      logger.warn({ err: error }, 'pending deliveries not read, retrying')
    } finally {
      const ended = performance.now()
      nextRefill = ended + (ended - began) / partOfTime
      isReading = false
      forgetWritten()
    }
    pump()
  }

  /**
   * Takes up the tries that are asked for. Each stands in ClickHouse until the result of its try is written, in one block
   * with that: so a crash in between loses none, and a look that finds one again changes nothing.
   */
  async function takeRetries(): Promise<void> {
    const began = performance.now()
    if (isReading || began < nextRetries || !(isAsked || isShared)) return
    isReading = true
    isAsked = false
    nextRetries = began + retries_ms
    const of = queues
    try {
      const retries = await store.retries()
      if (retries.length === 0) return
      isAsked = true
      const told = new Map((await store.named(retries)).map((each) => [keyOf(each.delivery), each]))
      if (of !== queues) return
      const over: DeliveryRetry[] = []
      for (const retry of retries) {
        const known = told.get(keyOf(retry))
        if (known === undefined || isOver(deliveryStates, known)) over.push(retry)
        else if (!unwritten.has(keyOf(retry)))
          of.hasten({ ...known.delivery, asked: retry.asked, nextTry: Math.min(retry.asked, now_us()) })
      }
      if (over.length > 0) await store.endRetries(over)
    } catch (error) {
      isAsked = true
      logger.warn({ err: error }, 'tries of deliveries that are asked for not read, retrying')
    } finally {
      isReading = false
      forgetWritten()
    }
    pump()
  }

  return {
    add(pending: readonly Delivery[]): void {
      for (const delivery of pending) queues.add(delivery)
      pump()
    },

    /** Says that a try is asked for: without other processes nothing looks for it else. */
    wake(): void {
      isAsked = true
    },

    /** Takes up the pending deliveries. */
    async start(): Promise<void> {
      // Tries from before a stop, of which ClickHouse heard nothing: an endpoint that took a delivery is not asked again.
      const delivered = results.filter(({ state }) => state === 'delivered')
      if (delivered.length > 0) await store.putResults(delivered)
      results = []
      const pending = await store.pending(now_us(), maxHeld)
      stopped = new AbortController()
      queues = createEndpointQueues()
      unwritten.clear()
      written = []
      isAsked = true
      nextRetries = 0
      const byEndpoint = new Map<string, Delivery[]>()
      for (const each of pending) byEndpoint.set(each.endpoint, [...(byEndpoint.get(each.endpoint) ?? []), each])
      for (const [endpoint, list] of byEndpoint) queues.refill(endpoint, list, unwritten)
      timer = setInterval(() => {
        pump()
        void refill()
        void takeRetries()
      }, tick_ms).unref()
      pump()
    },

    /** Leaves deliveries that are under way: they are pending still. Writes the results that are known. */
    async stop(): Promise<void> {
      clearInterval(timer)
      timer = undefined
      stopped.abort()
      queues = createEndpointQueues()
      await writing
    },
  }
}

/** A delivery without a try that was asked for. */
function due({ asked: _, ...delivery }: Delivery): Delivery {
  return delivery
}

export type Deliveries = ReturnType<typeof createDeliveries>
