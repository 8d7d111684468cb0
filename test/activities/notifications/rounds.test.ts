import test from 'ava'
import type { Delivery } from '../../../activities/notifications/delivery/delivery.ts'
import type { Match } from '../../../activities/notifications/gather.ts'
import type { LogStore, Round } from '../../../activities/notifications/log-store.ts'
import type { MatchReader } from '../../../activities/notifications/match-reader.ts'
import { createPayloads } from '../../../activities/notifications/payloads.ts'
import { createRounds } from '../../../activities/notifications/rounds.ts'
import type { TemplateStore } from '../../../activities/notifications/template-store.ts'
import { createTimeline } from '../../../activities/notifications/timeline.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'

const priorities = new Map([
  [6, 5],
  [7, 1],
  [8, 3],
])
const matchOf = (notifid: number, place: number): Match => ({ source: '1', seq: 10 + place, notifid, event: '{}' })

test('the sends of a round, and what it delivers, go by priority, and by arrival within one', async (t) => {
  const rounds: Round[] = []
  const delivered: Delivery[] = []
  const store = {
    lastRound: async () => ({ number: 0, holder: '' }),
    tallies: async () => new Map(),
    taken: async () => ({ number: 0, place: 0 }),
    commit: async (round: Round) => void rounds.push(round),
  } as unknown as LogStore
  const found = [6, 8, 7, 6, 7, 8].map(matchOf)
  const matches: MatchReader = { next: async () => found.splice(0), handled: async () => [], clean: async () => [] }
  const timeline = createTimeline({} as TemplateStore)
  const templates = [...priorities].map(([notifid, pri]) =>
    decodeNotification({ notifid, pri, endpoints: ['http://a'] }),
  )
  timeline.add(
    templates.map(({ notification }) => ({
      notifid: notification.notifid,
      at: 1,
      registered: 1,
      state: 1,
      secret: '',
      endpointsOff: [],
      notification,
    })),
  )
  let now = 100
  const { load, run } = createRounds({
    isShared: false,
    matches,
    outbox: { next: async () => [] },
    store,
    timeline,
    payloads: createPayloads(store),
    deliver: (pending) => delivered.push(...pending),
    now_us: () => ++now,
    logger: silentLogger(),
    metrics: { notifications: { inc: () => {} } } as unknown as Parameters<typeof createRounds>[0]['metrics'],
  })
  await load()
  await run()
  t.deepEqual(
    rounds[0]?.sends.map(({ notifid }) => notifid),
    [7, 7, 8, 8, 6, 6],
  )
  t.deepEqual(
    delivered.map(({ notifid }) => notifid),
    [7, 7, 8, 8, 6, 6],
  )
  t.is(rounds.length, 1)
})
