/** Sends and their deliveries while ClickHouse fails: rounds and the log are stand-ins, deliveries are the service's own. */
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { createDeliveries } from '../../../activities/notifications/delivery/deliveries.ts'
import type { Delivery, DeliveryResult } from '../../../activities/notifications/delivery/delivery.ts'
import { createSender } from '../../../activities/notifications/sender.ts'
import { silentLogger } from '../../../infra/logger.ts'
import type { Leases } from '../../../infra/processes/leases.ts'
import { until } from '../../support/until.ts'

const now_us = (): number => Date.now() * 1000
const delivery: Delivery = {
  ...{
    notifid: 1,
    ts: 1,
    place: 0,
    version: 0,
    endpoint: 'https://ops.example.org/',
    priority: 1,
    nextTry: 1,
    tries: 0,
  },
}

/** A sender with one pending delivery, whose endpoint takes it at each try. */
function startSender(t: ExecutionContext, leases?: Leases) {
  const told: DeliveryResult[] = []
  let [isAway, tries, rounds] = [false, 0, 0]
  const reach = (): void => {
    if (isAway) throw new Error('ClickHouse is away')
  }
  const deliveries = createDeliveries({
    isShared: false,
    store: {
      // Reads work while inserts fail, as with a full disk.
      pending: async () => (told.length === 0 ? [delivery] : []),
      putResults: async (results) => {
        reach()
        told.push(...results)
      },
      ...{ retries: async () => [], named: async () => [], endRetries: async () => {} },
    },
    tryDelivery: async () => {
      tries++
      return { delivery: { ...delivery, version: 1, tries: 1 }, state: 'delivered', status: 200, error: null }
    },
    now_us,
    logger: silentLogger(),
  })
  const sender = createSender({
    leases,
    rounds: {
      ...{ load: async () => {}, check: async () => {} },
      run: async () => {
        rounds++
        reach()
        return false
      },
    },
    deliveries,
    timeline: { refresh: async () => {}, isEmpty: () => false } as unknown as Parameters<
      typeof createSender
    >[0]['timeline'],
    hasNotices: () => true,
    logger: silentLogger(),
  })
  const stopped = new AbortController()
  const setAway = (away: boolean): void => {
    isAway = away
  }
  return {
    setAway,
    told,
    tries: () => tries,
    rounds: () => rounds,
    run(): void {
      const running = sender.run(stopped.signal)
      t.teardown(() => {
        stopped.abort()
        return running
      })
    },
  }
}

test('a delivery that its endpoint took goes out once, though ClickHouse takes neither rounds nor results for seconds', async (t) => {
  const sender = startSender(t)
  sender.setAway(true)
  sender.run()
  await until('some rounds to fail', () => sender.rounds() >= 4)
  t.is(sender.tries(), 1)
  sender.setAway(false)
  await until('the result', () => sender.told.length > 0)
  await sleep(500)
  t.deepEqual([sender.tries(), sender.told.map(({ state }) => state)], [1, ['delivered']])
})

test('a process that takes the sends up again asks no endpoint anew for what it took before', async (t) => {
  let taken = 0
  let isHeld = true
  const lease = { number: 1, isHeld: () => isHeld, end: async () => {} }
  const tryTake = async () => {
    taken++
    isHeld = true
    return lease
  }
  const sender = startSender(t, { tryTake } as unknown as Leases)
  sender.setAway(true)
  sender.run()
  await until('the try', () => sender.tries() === 1)
  isHeld = false
  await until('the lease to be taken again', () => taken === 2)
  sender.setAway(false)
  await until('the result', () => sender.told.length > 0)
  await sleep(500)
  t.is(sender.tries(), 1)
})
