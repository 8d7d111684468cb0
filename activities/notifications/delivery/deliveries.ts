import { setTimeout as sleep } from 'node:timers/promises'
import { isOver } from '../../../base/states.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Lease } from '../../../infra/processes/leases.ts'
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
/** The states of a delivery that one holder of the lease may write: those of the next holder have greater versions. */
const versionsOfHolder = 2 ** 20

type Hold = Pick<Lease, 'number' | 'isHeld'>

/**
 * Makes the pending deliveries, endpoint by endpoint, and writes down their results, many in one insert. Deliveries that a
 * process leaves at its end are pending in ClickHouse, and `start` takes them up. A process whose lease may have passed on
 * begins no try, breaks off those that are under way, and writes no result; one that was on its way nevertheless has a lower
 * version than those of the next holder.
 */
export function createDeliveries({ isShared, store, tryDelivery, now_us, logger }: DeliveriesDeps) {
  let queues = createEndpointQueues()
  let stopped = new AbortController()
  let hold: Hold = { number: 0, isHeld: () => false }
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

  /** Asked before each step: a process that stood still may hear of nothing in between. */
  function mayWork(): boolean {
    if (!hold.isHeld()) stopped.abort()
    return !stopped.signal.aborted
  }

  function pump(): void {
    if (timer === undefined || !mayWork()) return
    for (let due = queues.next(now_us()); due; due = queues.next(now_us())) void begin(due)
  }

  async function begin(delivery: Delivery): Promise<void> {
    const { signal } = stopped
    const [of, held] = [queues, hold]
    const { asked } = delivery
    const mayGo = (): boolean => mayWork() && !signal.aborted
    // This try answers every request from before it began.
    const answers = asked === undefined ? undefined : Math.max(asked + 1, now_us())
    try {
      const result = inHold(await tryDelivery(delivery, signal, mayGo), held)
      const isOn = mayGo()
      // A delivery that its endpoint took stays known here, should this process have the lease again.
      if (!isOn && result.state !== 'delivered') return
      // A delivery that waits on keeps the endpoint known, and since when it is away.
      if (result.nextTry !== undefined) of.add(due(result.delivery))
      of.ended(delivery, result.state === 'delivered', now_us())
      results.push({ ...result, ...(answers !== undefined && { answers }) })
      unwritten.add(keyOf(delivery))
      writing ??= write(held, signal)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ err: error, notifid: delivery.notifid }, 'notification not read for its delivery, retrying')
      of.add({ ...delivery, nextTry: now_us() + unreadable_us })
      of.ended(delivery, false, now_us())
    }
    pump()
  }

  async function write(held: Hold, signal: AbortSignal): Promise<void> {
    while (results.length > 0 && held.isHeld()) {
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
    async start(held: Hold): Promise<void> {
      // Tries from before a stop, of which ClickHouse heard nothing: an endpoint that took a delivery is not asked again.
      const delivered = results.filter(({ state }) => state === 'delivered')
      if (delivered.length > 0) await store.putResults(delivered.map((result) => inHold(result, held)))
      results = []
      const pending = await store.pending(now_us(), maxHeld)
      stopped = new AbortController()
      hold = held
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
        if (!mayWork()) return
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

/** The result with a version above all that earlier holders of the lease wrote. */
function inHold(result: DeliveryResult, { number }: Hold): DeliveryResult {
  const version = Math.max(result.delivery.version, number * versionsOfHolder)
  return { ...result, delivery: { ...result.delivery, version } }
}

/** A delivery without a try that was asked for. */
function due({ asked: _, ...delivery }: Delivery): Delivery {
  return delivery
}

export type Deliveries = ReturnType<typeof createDeliveries>
