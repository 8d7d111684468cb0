import test from 'ava'
import type { Delivery } from '../../../activities/notifications/delivery/delivery.ts'
import { createEndpointQueues } from '../../../activities/notifications/delivery/endpoint-queues.ts'

const second_us = 1_000_000
const delivery = (ts: number, tries: number, nextTry_s: number): Delivery => ({
  ...{ notifid: 1, ts, place: 0, version: 0, endpoint: 'https://e.example', priority: 1 },
  ...{ tries, nextTry: nextTry_s * second_us },
})

/** Takes all that is due at a time, each as one that the endpoint answers so. */
function take(queues: ReturnType<typeof createEndpointQueues>, at_s: number, isDelivered: boolean): number[] {
  const taken: number[] = []
  for (let due = queues.next(at_s * second_us); due; due = queues.next(at_s * second_us)) {
    taken.push(due.ts)
    if (!isDelivered) queues.add({ ...due, tries: 6, nextTry: (at_s + 1_800) * second_us })
    queues.ended(due, isDelivered, at_s * second_us)
    if (!isDelivered) return taken
  }
  return taken
}

test('an endpoint that was away gets what waits as soon as it takes one, however long the pauses had grown', (t) => {
  const queues = createEndpointQueues()
  queues.add(delivery(1, 0, 0))
  t.deepEqual(take(queues, 0, false), [1])
  // Their last tries were within the outage; each has half an hour to wait, or an hour.
  for (const [ts, tries, next_s] of [
    [2, 6, 1_900],
    [3, 7, 3_700],
  ] as const)
    queues.add(delivery(ts, tries, next_s))
  queues.add(delivery(4, 0, 150))
  t.deepEqual(take(queues, 149, true), [])
  t.deepEqual(take(queues, 150, true), [4, 1, 2, 3])
})

test('while it is away again the rest waits out its pauses', (t) => {
  const queues = createEndpointQueues()
  queues.add(delivery(1, 0, 0))
  take(queues, 0, false)
  for (let ts = 2; ts < 5; ts++) queues.add(delivery(ts, 6, 1_900))
  queues.add(delivery(9, 0, 100))
  const first = queues.next(100 * second_us)
  t.is(first?.ts, 9)
  if (first) queues.ended(first, true, 100 * second_us)
  t.deepEqual(take(queues, 101, false), [1])
  t.deepEqual(take(queues, 102, false), [], 'no try beyond the one that failed')
})

test('a delivery that a well endpoint does not take is not tried at each that it takes', (t) => {
  const queues = createEndpointQueues()
  queues.add(delivery(1, 0, 0))
  t.deepEqual(take(queues, 0, false), [1])
  for (let at_s = 1; at_s < 50; at_s++) {
    queues.add(delivery(100 + at_s, 0, at_s))
    t.deepEqual(take(queues, at_s, true), [100 + at_s])
  }
})
