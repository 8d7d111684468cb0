import test from 'ava'
import { createFollowEvents } from '../../../activities/live/follow-events.ts'

test('a reader is told once that events cannot be read, and once that they are read again, with those that came', async (t) => {
  const gate = {}
  // The waits of a reader keep no process alive.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  const stream = { name: 'st', kind: 'input' }
  const target = { schema: { name: 's' }, stream, queues: ['s.st'], columns: { all: [], late: new Set() } }
  let isAway = true
  let hasNews = true
  const follow = createFollowEvents({
    registry: { find: () => ({ gate, streams: new Map([['st', target]]) }) },
    horizons: {
      now: async () => 0,
      join: () => ({
        hasNews: () => hasNews,
        reached: () => 100,
        togetherFrom: (place: unknown) => place,
        wait: async () => {},
        leave() {},
      }),
    },
    pieces: {
      async behind() {
        if (isAway) throw new Error('connect ECONNREFUSED')
        hasNews = false
        return { bytes: Buffer.from('id: 7\nevent: event\ndata: {}\n\n'), next: { seq: 7 }, span_us: 1, first: 7 }
      },
    },
    readers: { enter: () => ({ signal: new AbortController().signal, leave() {} }) },
    metrics: { liveLag: { observe() {} } },
    logger: { warn() {} },
  } as never)
  const { next, leave } = await follow({ target, from: 'now', client: {} } as never)
  t.regex(String(await next()), /^id: 0\nevent: open/)
  t.is(
    String(await next()),
    'event: note\ndata: {"error":["ClickHouse does not answer: the events that come meanwhile are sent once it does"]}\n\n',
  )
  setTimeout(() => {
    isAway = false
  }, 1_500)
  t.regex(
    String(await next()),
    /^event: note\ndata: \{"error":\["ClickHouse answers again: .*"\]\}\n\nid: 7\nevent: event\ndata: \{\}\n\n$/,
  )
  leave()
})
