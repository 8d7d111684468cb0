import test from 'ava'
import { askedPause_us, nextTry } from '../../../activities/notifications/delivery/try-delivery.ts'
import { gather, type Match, type Tally } from '../../../activities/notifications/gather.ts'
import type { TemplateVersion } from '../../../activities/notifications/template-store.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'

const second = 1_000_000
const version = (at_s: number, more: Partial<TemplateVersion> & { freq?: number } = {}): TemplateVersion => {
  const { freq = 10, ...rest } = more
  const { notification } = decodeNotification({ notifid: 1, freq })
  return {
    notifid: 1,
    at: at_s * second,
    registered: second,
    state: 1,
    secret: '',
    endpointsOff: [],
    notification,
    ...rest,
  }
}
const matches = (...arrivals_s: number[]): Match[] =>
  arrivals_s.map((s) => ({ source: '1', seq: s * second, notifid: 1, event: `{"at":${s}}` }))
const shown = ({ sends, tally }: ReturnType<typeof gather>) => ({
  sends: sends.map(({ gathered, total }) => [gathered.count, gathered.event, total]),
  waiting: tally?.waiting?.count,
  total: tally?.total,
})
const ofNine: Tally = { registered: second, total: 9, sent: 100 * second }

test('the first match of a batch is a send, the rest gather until freq is over, and then go out as one', (t) => {
  const first = gather(undefined, [version(1)], matches(2, 3, 4), 5 * second)
  t.deepEqual(shown(first), { sends: [[1, '{"at":2}', 1]], waiting: 2, total: 3 })
  const quiet = gather(first.tally, [version(1)], matches(6), 14 * second)
  t.deepEqual(shown(quiet), { sends: [], waiting: 3, total: 4 })
  const flushed = gather(quiet.tally, [version(1)], matches(14), 15 * second)
  t.deepEqual(shown(flushed), { sends: [[4, '{"at":14}', 5]], waiting: undefined, total: 5 })
  t.deepEqual([flushed.sends[0]?.gathered.first, flushed.sends[0]?.gathered.last], [3 * second, 14 * second])
})

test('without freq each match is a send; what had gathered before goes with the first', (t) => {
  const waiting = { count: 2, first: 102 * second, last: 103 * second, event: '{}' }
  const made = gather(
    { ...ofNine, waiting },
    [version(1), version(103.5, { freq: 0 })],
    matches(104, 105),
    106 * second,
  )
  t.deepEqual(shown(made), {
    sends: [
      [3, '{"at":104}', 10],
      [1, '{"at":105}', 11],
    ],
    waiting: undefined,
    total: 11,
  })
})

test('what gathers keeps its latest 100 events, 64,000 characters of them at most, the last event last', (t) => {
  const many = Array.from({ length: 150 }, (_, n) => 101 + n / 1000)
  const gathered = gather(ofNine, [version(1)], matches(...many), 105 * second).tally?.waiting
  t.deepEqual([gathered?.count, gathered?.events?.length], [150, 100])
  t.deepEqual([gathered?.events?.[0], gathered?.events?.at(-1)], ['{"at":101.05}', '{"at":101.149}'])
  const late = gather(ofNine, [version(1)], matches(103, 104, 102), 105 * second).tally?.waiting
  t.deepEqual(late?.events, ['{"at":103}', '{"at":102}', '{"at":104}'])
  t.is(late?.event, '{"at":104}')
  const long = matches(101, 102, 103).map((match) => ({ ...match, event: `"${match.seq}${'x'.repeat(31_000)}"` }))
  const two = gather(ofNine, [version(1)], long, 105 * second).tally?.waiting
  t.deepEqual(
    two?.events,
    long.slice(1).map(({ event }) => event),
  )
  const huge = matches(101, 102).map((match) => ({ ...match, event: 'x'.repeat(100_000) }))
  t.is(gather(ofNine, [version(1)], huge, 105 * second).tally?.waiting?.events?.length, 1)
})

test('what an earlier release gathered goes on with its one event', (t) => {
  const waiting = { count: 2, first: 101 * second, last: 102 * second, event: '{"at":102}' }
  const gathered = gather({ ...ofNine, waiting }, [version(1)], matches(103), 104 * second).tally?.waiting
  t.deepEqual([gathered?.count, gathered?.events], [3, ['{"at":102}', '{"at":103}']])
})

const timelines: readonly (readonly [what: string, versions: TemplateVersion[], arrivals: number[], left: object])[] = [
  ['a match from before the template', [version(1)], [0.5], { sends: [], waiting: undefined, total: 9 }],
  [
    'none while it is paused',
    [version(1), version(101, { state: 0 })],
    [102],
    { sends: [], waiting: undefined, total: 9 },
  ],
  [
    'a match from before the pause gathers, and the pause drops it',
    [version(1), version(103, { state: 0 })],
    [102],
    { sends: [], waiting: undefined, total: 10 },
  ],
  [
    'what came after the pause is over',
    [version(1), version(103, { state: 0 }), version(104)],
    [102, 103.5, 105],
    { sends: [], waiting: 1, total: 11 },
  ],
  [
    'nothing of one that is removed',
    [version(1), version(103, { state: -1 })],
    [102],
    { sends: [], waiting: undefined, total: undefined },
  ],
  [
    'one registered again begins anew, without what its predecessor matched',
    [version(1), version(103, { state: -1 }), version(104, { registered: 104 * second })],
    [102, 105],
    { sends: [[1, '{"at":105}', 1]], waiting: undefined, total: 1 },
  ],
]

for (const [what, versions, arrivals, left] of timelines) {
  test(`a match goes by the template as it was when its event came: ${what}`, (t) => {
    t.deepEqual(shown(gather(ofNine, versions, matches(...arrivals), 106 * second)), left)
  })
}

test('tries are 1, 5, 30 s, 2, 10, 30 min and then hours apart, each from the end of the last, for a day', (t) => {
  const pauses: number[] = []
  let at = 0
  for (let tries = 1; ; tries++) {
    const next = nextTry(0, tries, at)
    if (next === undefined) break
    pauses.push((next - at) / second)
    at = next
  }
  t.deepEqual(pauses.slice(0, 8), [1, 5, 30, 120, 600, 1800, 3600, 3600])
  t.true(at <= 86_400 * second && at > 82_800 * second)
})

test('a pause that an endpoint asks for is kept where it is longer than ours, and within a day', (t) => {
  const now = Date.parse('2026-11-29T12:00:00Z') * 1_000
  for (const [said, seconds] of [
    ['120', 120],
    ['0', 0],
    ['Sun, 29 Nov 2026 12:05:00 GMT', 300],
    ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    [undefined, 0],
  ] as const)
    t.is(askedPause_us(said, now), seconds * second, String(said))
  t.is(nextTry(now, 1, now, 120 * second), now + 120 * second)
  t.is(nextTry(now, 3, now, 5 * second), now + 30 * second)
  t.is(nextTry(now, 1, now, 90_000 * second), undefined)
})
