import test from 'ava'
import { createDeliveryLists } from '../../../activities/notifications/delivery/lists.ts'
import type { Told } from '../../../activities/notifications/log-store.ts'

test('a delivery whose try ends while the list is made is pending, or has the result of that try', async (t) => {
  let isTried = false
  /** As it is now; the try ends behind the first answer. */
  const read = <Read>(before: Read, after: Read) => {
    const found = isTried ? after : before
    isTried = true
    return Promise.resolve(found)
  }
  const key = { notifid: 1, ts: 5, place: 0 }
  const told = (tries: number): Told[] => {
    const delivery = { ...key, version: tries, endpoint: 'https://ops.example.org/', priority: 1, nextTry: 0, tries }
    return [{ delivery, state: 'failed', status: 500, error: 'status 500' }]
  }
  const lists = createDeliveryLists({
    store: {
      deliveries: () => read(told(1), told(2)),
      retries: () => read([{ ...key, asked: 7 }], []),
      counts: async () => ({ total: 0, day: 0, before: 0 }),
    },
    timeline: { refresh: async () => {}, current: () => ({ registered: 1 }) as never },
  })
  const [delivery] = (await lists.of('1')).deliveries
  t.true(delivery?.state === 'pending' || delivery?.tries === 2, JSON.stringify(delivery))
})
