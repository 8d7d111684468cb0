import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import type { Random } from '../../support/random/random.ts'
import type { Client } from '../../support/requests/client.ts'

export type Posted = { readonly to: 'a' | 'b'; readonly key: string; readonly n: number; readonly v: number }

const attrs = [
  { name: 'key', type: 5 },
  { name: 'n', type: 9 },
  { name: 'v', type: 9, stat: 3 },
]
const sameKey = { cond: ['key'], args: ['key'] }
const sameValue = { cond: ['key', 'v'], args: ['key', 'v'] }
const side = (rstm: string) => [
  { name: 'pair', type: 1, iatr: ['key', 'n'], rstm, ratr: ['key', 'n'], jqry: sameKey, ostm: 'pairs' },
  { name: 'met', type: 6, iatr: ['key', 'n'], rstm, ratr: ['key', 'n'], jqry: sameValue, ostm: 'meetings' },
]
export const schema = {
  schema: 'crash',
  streams: [
    {
      name: 'a',
      type: 1,
      swsz: 0,
      attr: attrs,
      catr: [{ name: 'total', type: 9, opnm: 'FOLD', iatr: ['$total + $v'], key: ['key'], start: 0 }],
      join: side('b'),
      cepq: [
        {
          name: 'rising',
          type: 1,
          iatr: ['key', 'n'],
          rstm: 'a',
          ratr: ['n'],
          jqry: { cond: ['key', 'v'], args: ['key', 'v'], cmp: ['EQ', 'LT'] },
          cond: [{ name: 'NUMT', val: 2 }],
          ostm: 'rises',
        },
        {
          name: 'spree',
          type: 1,
          iatr: ['key', 'n'],
          rstm: 'a',
          ratr: ['first.n', 'sum.v'],
          jqry: sameKey,
          cond: [{ name: 'NUMT', val: 3 }],
          skip: 'past',
          ostm: 'sprees',
        },
      ],
    },
    {
      name: 'b',
      type: 1,
      swsz: 0,
      attr: attrs,
      join: side('a'),
      refr: [{ name: 'last', iatr: ['last_a'], rstm: 'a', ratr: ['n'], jqry: sameKey }],
    },
    { name: 'pairs', type: 3, swsz: 0, inpt: ['a', 'b'], attr: [{ name: 'key', type: 5, stat: 1 }] },
    { name: 'meetings', type: 3, swsz: 0, inpt: ['a', 'b'], attr: [] },
    { name: 'rises', type: 3, swsz: 0, inpt: ['a'], attr: [] },
    { name: 'sprees', type: 3, swsz: 0, inpt: ['a'], attr: [] },
  ],
}

/**
 * Events of one key. Each of them meets a share of all before it, so that a key without end would make rows by the square of
 * its events: the longer a broker stood still, the less a service could ever catch up.
 */
const eventsOfKey = 1_000
const keyOf = (client: string, n: number): string => `${client}.${Math.floor(n / eventsOfKey)}`

/** One client has one key at a time, and posts one event after the other: its order is known. */
export async function load(
  clientOf: () => Client | undefined,
  name: string,
  random: Random,
  isStopped: () => boolean,
  pause_ms = 0,
): Promise<Posted[]> {
  const posted: Posted[] = []
  for (let n = 0; !isStopped(); n++) {
    const key = keyOf(name, n)
    const event: Posted = { to: random.chance(0.5) ? 'a' : 'b', key, n, v: random.whole(0, 20) }
    for (;;) {
      const answer = await clientOf()
        ?.event(`crash.${event.to}`, { key, n, v: event.v, _id: `${key} ${n}` })
        .catch(() => undefined)
      if (answer !== undefined) break
      await sleep(20)
    }
    posted.push(event)
    if (pause_ms > 0) await sleep(pause_ms)
  }
  return posted
}

/** The same, as bodies of many events: what rules remember of them comes to the disk together. */
export async function loadBodies(
  clientOf: () => Client | undefined,
  name: string,
  random: Random,
  isStopped: () => boolean,
  pause_ms = 30,
): Promise<Posted[]> {
  const posted: Posted[] = []
  while (!isStopped()) {
    const to = random.chance(0.5) ? 'a' : 'b'
    const events = Array.from({ length: random.whole(20, 60) }, (_, at): Posted => {
      const n = posted.length + at
      return { to, key: keyOf(name, n), n, v: random.whole(0, 20) }
    })
    const lines = events.map(({ key, n, v }) => ({ key, n, v, _id: `${key} ${n}` }))
    for (;;) {
      const answer = await clientOf()
        ?.lines(`crash.${to}`, lines)
        .catch(() => undefined)
      if (answer !== undefined) break
      await sleep(20)
    }
    posted.push(...events)
    await sleep(pause_ms)
  }
  return posted
}

/** One pass over the events of a key: the rows of each stream. */
function onePass(events: readonly Posted[]) {
  const free = { a: [] as number[], b: [] as number[] }
  const pairs: string[] = []
  const meetings: string[] = []
  const rises: string[] = []
  const totals: string[] = []
  let total = 0
  const sprees: string[] = []
  let spree: { n: number; v: number }[] = []
  const lasts: string[] = []
  let candidates: { n: number; v: number; run: number }[] = []
  let last: number | undefined
  for (const [index, { to, key, n, v }] of events.entries()) {
    for (const other of events.slice(0, index))
      if (other.to !== to && other.v === v) meetings.push(`${key} ${n} ${other.n}`)
    if (to === 'b') lasts.push(`${key} ${n} ${last}`)
    else {
      last = n
      total += v
      totals.push(`${key} ${n} ${total}`)
      spree = [...spree, { n, v }]
      if (spree.length === 4) {
        sprees.push(`${key} ${n} ${spree[0]?.n} ${spree.reduce((sum, each) => sum + each.v, 0)}`)
        spree = []
      }
      const before = candidates.find((each) => each.v < v)
      const run = before ? before.run + 1 : 0
      if (before && run >= 2) rises.push(`${key} ${n} ${before.n}`)
      candidates = [...candidates.filter((each) => each !== before), { n, v, run }]
    }
    const other = free[to === 'a' ? 'b' : 'a'].shift()
    if (other === undefined) free[to].push(n)
    else pairs.push(`${key} ${n} ${other}`)
  }
  return { pairs, meetings, rises, sprees, totals, lasts }
}

/** The events of a client in their order, those of each key by themselves. */
function byKey(events: readonly Posted[]): Posted[][] {
  const found = new Map<string, Posted[]>()
  for (const event of events) {
    const known = found.get(event.key)
    if (known) known.push(event)
    else found.set(event.key, [event])
  }
  return [...found.values()]
}

/** The rows are those of one pass over the events of each key, once each. */
export async function isOnePass(
  t: ExecutionContext,
  client: Client,
  posted: readonly (readonly Posted[])[],
): Promise<void> {
  const passes = posted.flatMap(byKey).map(onePass)
  const documents = (stream: string) => client.documents(`select * from crash.${stream}`)
  const expected = (kind: 'pairs' | 'meetings' | 'rises' | 'sprees' | 'totals' | 'lasts') =>
    passes.flatMap((pass) => pass[kind]).sort()
  t.log(`${expected('lasts').length} events of b`)
  t.deepEqual((await documents('pairs')).map(({ key, n, _j1 }) => `${key} ${n} ${_j1.n}`).sort(), expected('pairs'))
  t.deepEqual(
    (await documents('meetings')).map(({ key, n, _j1 }) => `${key} ${n} ${_j1.n}`).sort(),
    expected('meetings'),
  )
  t.deepEqual((await documents('rises')).map(({ key, n, _j1 }) => `${key} ${n} ${_j1.n}`).sort(), expected('rises'))
  t.deepEqual(
    (await documents('sprees')).map(({ key, n, first, sum }) => `${key} ${n} ${first.n} ${sum.v}`).sort(),
    expected('sprees'),
  )
  t.deepEqual((await documents('a')).map(({ key, n, total }) => `${key} ${n} ${total}`).sort(), expected('totals'))
  t.deepEqual((await documents('b')).map(({ key, n, last_a }) => `${key} ${n} ${last_a}`).sort(), expected('lasts'))
  const [counted] = await client.rows('select aggr(key) from crash.pairs rollup 1')
  t.is(JSON.parse(String(counted?.v)).aggr_val.cnt, expected('pairs').length)
}
