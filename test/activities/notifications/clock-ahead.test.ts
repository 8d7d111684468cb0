import test from 'ava'
import { createTryDelivery } from '../../../activities/notifications/delivery/try-delivery.ts'
import { generateSecret } from '../../../activities/notifications/secrets.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'

const second_us = 1_000_000
const { notification } = decodeNotification({ notifid: 1, endpoints: ['http://a'] })

test("a send of a service whose clock is ahead bears the computer's time, and keeps to the date until which its receiver asks for a pause", async (t) => {
  const lead_us = 3_000 * second_us
  const now_us = () => Date.now() * 1000 + lead_us
  const stamps: number[] = []
  const tryDelivery = createTryDelivery({
    outbound: {
      async post(_url, headers) {
        stamps.push(Number(headers['webhook-timestamp']))
        return { status: 503, retryAfter: new Date(Date.now() + 900_000).toUTCString() }
      },
    },
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
    payload: async () => '{}',
    switchOff: async () => {},
    now_us,
    metrics: { notificationTries: { inc: () => {} } } as unknown as Parameters<typeof createTryDelivery>[0]['metrics'],
  })
  const ts = now_us()
  const delivery = { notifid: 1, ts, place: 0, version: 0, endpoint: 'http://a', priority: 1, nextTry: ts, tries: 0 }
  const { nextTry = 0 } = await tryDelivery(delivery, new AbortController().signal)
  t.true(Math.abs((stamps[0] ?? 0) - Date.now() / 1000) < 60, `${stamps}`)
  const pause_s = (nextTry - now_us()) / second_us
  t.true(pause_s > 800 && pause_s <= 900, `${pause_s} s`)
})
