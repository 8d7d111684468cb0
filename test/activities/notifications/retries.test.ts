import test from 'ava'
import { createDeliveries } from '../../../activities/notifications/delivery/deliveries.ts'
import type { Delivery, DeliveryResult } from '../../../activities/notifications/delivery/delivery.ts'
import { createTryDelivery } from '../../../activities/notifications/delivery/try-delivery.ts'
import { createLogStore } from '../../../activities/notifications/log-store.ts'
import { generateSecret } from '../../../activities/notifications/secrets.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(clickhouse.close)
const store = createLogStore(clickhouse)
let last = Date.now() * 1000
const now_us = (): number => {
  last = Math.max(last + 1, Date.now() * 1000)
  return last
}
const hour_us = 3_600_000_000
const { notification } = decodeNotification({ notifid: 1, endpoints: ['http://a'] })

type Post = Parameters<typeof createTryDelivery>[0]['outbound']['post']

/** Tries of a service with such a clock; `post` answers them. */
const triesOf = (post: Post, clock_us: () => number) =>
  createTryDelivery({
    isMute: false,
    outbound: { post },
    mailer: undefined,
    template: () => ({
      notifid: 1,
      at: 1,
      registered: 1,
      state: 1,
      secret: generateSecret(),
      endpointsOff: [],
      notification,
    }),
    payload: store.payload,
    switchOff: async () => {},
    now_us: clock_us,
    metrics: { notificationTries: { inc: () => {} } } as unknown as Parameters<typeof createTryDelivery>[0]['metrics'],
  })

const alone = { number: 0, isHeld: () => true }

/** A process that delivers; `post` answers its tries. */
function processOf(post: (url: string, ended: AbortSignal) => Promise<number>, putResults = store.putResults) {
  const tryDelivery = triesOf(
    async (url, _headers, _body, ended) => ({ status: await post(String(url), ended) }),
    now_us,
  )
  return createDeliveries({
    isShared: true,
    store: { ...store, putResults },
    tryDelivery,
    now_us,
    logger: silentLogger(),
  })
}

/** A send of `ago_us` ago, its one delivery as it stands. */
async function sent(place: number, ago_us: number, state: 'pending' | 'failed'): Promise<Delivery> {
  const ts = now_us() - ago_us
  const nextTry = state === 'pending' ? now_us() + hour_us : 0
  const endpoint = `http://${place}`
  const delivery = { notifid: 1, ts, place: 0, version: 7, endpoint, priority: 1, nextTry, tries: 7 }
  const result: DeliveryResult = { delivery, state, status: 500, error: 'status 500', nextTry }
  const sends = [{ notifid: 1, ts, payload: '{}' }]
  await store.commit({ number: ts, holder: 'a', handled: [], tallies: new Map(), sends, deliveries: [result] })
  return delivery
}

const told = async ({ notifid, ts }: Delivery) => (await store.ofSend(notifid, ts))[0]
const isOver = (delivery: Delivery) =>
  until('the try that was asked for is made', async () => {
    const open = await store.retries()
    return open.every(({ ts }) => ts !== delivery.ts)
  })

test.serial(
  'a try that is asked for is made, of a delivery that waits, that has failed, and after a day',
  async (t) => {
    const deliveries = [
      await sent(1, hour_us, 'pending'),
      await sent(2, hour_us, 'failed'),
      await sent(3, 30 * hour_us, 'failed'),
    ]
    for (const delivery of deliveries) await store.askRetry(delivery, now_us())
    const tried: string[] = []
    const process = processOf(async (url) => {
      tried.push(url)
      return url.startsWith('http://1') ? 204 : 503
    })
    await process.start(alone)
    for (const delivery of deliveries) await isOver(delivery)
    await process.stop()
    t.deepEqual(tried.sort(), ['http://1', 'http://2', 'http://3'])
    const states = await Promise.all(deliveries.map(told))
    t.deepEqual(
      states.map((each) => [each?.state, each?.status, each?.delivery.tries]),
      [
        ['delivered', 204, 8],
        ['pending', 503, 8],
        ['failed', 503, 8],
      ],
    )
  },
)

test.serial('a try in the middle of which its process ends is made by the next process, and once', async (t) => {
  const delivery = await sent(4, 30 * hour_us, 'failed')
  await store.askRetry(delivery, now_us())
  let begun = 0
  const first = processOf(async () => {
    begun++
    return new Promise<number>(() => {})
  })
  await first.start(alone)
  await until('the first try', () => begun === 1)
  await first.stop()
  t.is((await told(delivery))?.state, 'failed')
  const tried: string[] = []
  const second = processOf(async (url) => {
    tried.push(url)
    return 200
  })
  const third = async (): Promise<void> => {
    const next = processOf(async (url) => {
      tried.push(url)
      return 200
    })
    await next.start(alone)
    await store.askRetry(delivery, now_us())
    await isOver(delivery)
    await next.stop()
  }
  await second.start(alone)
  await isOver(delivery)
  await second.stop()
  t.deepEqual(tried, ['http://4'])
  t.is((await told(delivery))?.state, 'delivered')
  // One that is delivered meanwhile is not sent again.
  await third()
  t.deepEqual(tried, ['http://4'])
})

test.serial('forty that ask at once, before the try begins, get one try', async (t) => {
  const delivery = await sent(5, 30 * hour_us, 'failed')
  await Promise.all(Array.from({ length: 40 }, () => store.askRetry(delivery, now_us())))
  let tries = 0
  const process = processOf(async () => {
    tries++
    return 500
  })
  await process.start(alone)
  await isOver(delivery)
  t.is(tries, 1)
  // Asked again after its result, it is tried again.
  await store.askRetry(delivery, now_us())
  await isOver(delivery)
  await process.stop()
  t.is(tries, 2)
  t.is((await told(delivery))?.delivery.tries, 9)
})

test.serial('a process whose clock is apart from that of the one that delivers is heard at once', async (t) => {
  const delivery = await sent(6, 30 * hour_us, 'failed')
  let tries = 0
  const process = processOf(async () => {
    tries++
    return 500
  })
  await process.start(alone)
  for (const clock of [now_us() + hour_us, now_us() - hour_us]) {
    const before = tries
    await store.askRetry(delivery, clock)
    await until('it is tried', () => tries > before)
    await isOver(delivery)
  }
  await process.stop()
  t.is(tries, 2)
})

test.serial(
  "a send of a service whose clock is ahead bears the computer's time, and keeps to the date until which its receiver asks for a pause",
  async (t) => {
    const clock_us = (): number => now_us() + 3_000_000_000
    const stamps: number[] = []
    const tryDelivery = triesOf(async (_url, headers) => {
      stamps.push(Number(headers['webhook-timestamp']))
      return { status: 503, retryAfter: new Date(Date.now() + 900_000).toUTCString() }
    }, clock_us)
    const delivery = await sent(9, -3_000_000_000, 'pending')
    const { nextTry = 0 } = await tryDelivery({ ...delivery, tries: 0 }, new AbortController().signal)
    t.true(Math.abs((stamps[0] ?? 0) - Date.now() / 1000) < 60, `${stamps}`)
    const pause_s = (nextTry - clock_us()) / 1e6
    t.true(pause_s > 800 && pause_s <= 900, `${pause_s} s`)
  },
)

test.serial(
  'a process whose lease has run out breaks off the try that is under way, begins no other, and writes no result',
  async (t) => {
    let isHeld = true
    const [slow, waiting] = [await sent(10, hour_us, 'failed'), await sent(11, hour_us, 'failed')]
    await store.askRetry(slow, now_us())
    const tried: string[] = []
    let wasBrokenOff = false
    const process = processOf(async (url, ended) => {
      tried.push(url)
      return new Promise((_, reject) => {
        ended.addEventListener('abort', () => {
          wasBrokenOff = true
          reject(ended.reason)
        })
      })
    })
    await process.start({ number: 1, isHeld: () => isHeld })
    await until('the try', () => tried.length > 0)
    isHeld = false
    process.add([{ ...waiting, nextTry: now_us() }])
    await store.askRetry(waiting, now_us())
    await until('the try to be broken off', () => wasBrokenOff)
    await process.stop()
    t.deepEqual(tried, ['http://10'])
    t.deepEqual(
      (await Promise.all([slow, waiting].map(told))).map((each) => each?.delivery.tries),
      [7, 7],
    )
    for (const each of [slow, waiting]) await store.endRetries([{ ...each, asked: now_us() }])
  },
)

test.serial(
  'a try whose process stands still before the post is not posted where the lease has run out meanwhile',
  async (t) => {
    const delivery = await sent(12, hour_us, 'pending')
    let posts = 0
    const tryDelivery = triesOf(async () => {
      posts++
      return { status: 200 }
    }, now_us)
    await t.throwsAsync(tryDelivery(delivery, new AbortController().signal, () => false))
    t.is(posts, 0)
  },
)

test.serial(
  "the result of a process that stood still while another one got the lease does not take the place of that one's result",
  async (t) => {
    const delivery = await sent(13, hour_us, 'failed')
    await store.askRetry(delivery, now_us())
    let answer: ((status: number) => void) | undefined
    let hasWritten = false
    const before = processOf(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      async (results) => {
        await store.putResults(results)
        hasWritten = true
      },
    )
    // Its write was on its way as it stood still: it has the lease by its own clock.
    await before.start({ number: 1, isHeld: () => true })
    await until('the first try', () => answer)
    const next = processOf(async () => 200)
    await next.start({ number: 2, isHeld: () => true })
    await until('the delivery', async () => (await told(delivery))?.state === 'delivered')
    answer?.(500)
    await until('the late result', () => hasWritten)
    await before.stop()
    await next.stop()
    const { state, delivery: { tries } = delivery } = (await told(delivery)) ?? {}
    t.deepEqual([state, tries], ['delivered', 8])
  },
)
