import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Event } from '../../../base/json.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import type { Sent as Ordered } from '../../activities/rules/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { type Client, json } from '../../support/requests/client.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import { different } from './different.ts'
import { inOrder } from './in-order.ts'
import type { Load, LoadDeps } from './load.ts'
import { readArrivals } from './rules/arrivals.ts'
import { createReferred, onePass } from './rules/one-pass.ts'
import { createRestored } from './rules/restored.ts'
import { type Extra, madeStreams, rulesSchema, switched } from './rules/schema.ts'
import { checkSilence, silent } from './rules/silence.ts'
import { createSwitching } from './rules/switching.ts'
import { checkVisits, visits } from './rules/visits.ts'

/** Events, over all rounds. Beyond this a walk over all events for each event takes longer than the round. */
const most = 2_500
const keys = 6

/** `sent`, `answered`: when; `answered` is the last time of several. */
type Posted = { readonly event: Event; readonly sent: number; answered: number; isAcknowledged: boolean }
type Stream = 'a' | 'b'

/**
 * Rules with memory: events of several clients in any order, with keys and without, while the schema is edited, streams
 * go OFF and ON, and backups are taken and restored elsewhere. Rows and attributes must be those of one pass over the
 * stored events, in the order in which a live reader gets them.
 */
export function createRulesLoad(deps: LoadDeps) {
  const { asker, ledger, hook, generation, lived, brokers } = deps
  const name = `rules${generation}`
  const notifid = 50_000 + generation
  const posted: Readonly<Record<Stream, Map<number, Posted>>> = { a: new Map(), b: new Map() }
  const switching = createSwitching()
  let extra: Extra = { isCounted: false, isFiltered: false, hasOther: false }
  /** 0: no pattern is for such an event. */
  let epoch = 1
  let [made, lastEpoch, counted] = [0, 1, 0]
  /** Requests with events of an epoch. */
  const underWay = new Map<number, number>()
  let isChanging = false

  function next(random: Random, e: number): Event {
    const [id, client] = [++made, random.whole(0, keys - 1)]
    const isLate = random.chance(0.3)
    return {
      id,
      c: `client ${client}`,
      k: random.whole(0, keys - 1),
      v: random.whole(0, 100),
      e,
      ...(isLate ? { _pk: Date.now() * 1000 - random.whole(0, 8_000_000) } : {}),
    }
  }

  async function post(random: Random, ofEpoch: number): Promise<void> {
    const stream = random.pick(['a', 'a', 'b'] as const)
    const events = Array.from({ length: random.pick([1, 1, 1, random.whole(2, 20), random.whole(20, 80)]) }, () =>
      next(random, ofEpoch),
    )
    const isKeyed = random.chance(0.5)
    const isBatch = events.length > 1
    const now = performance.now()
    const noted = events.map((event): Posted => ({ event, sent: now, answered: Infinity, isAcknowledged: false }))
    for (const one of noted) posted[stream].set(Number(one.event.id), one)
    const lines = events.map((event) => ({ ...event, ...(isKeyed ? { _id: `${name} ${event.id}` } : {}) }))
    const request = {
      what: isBatch ? 'events that rules meet, in batches' : 'events that rules meet',
      method: 'POST',
      path: `/stream/${name}/${stream}`,
      body: isBatch ? lines.map((line) => `${json(line)}\n`).join('') : lines[0],
      headers: isBatch ? { 'content-type': 'application/x-ndjson' } : {},
      weight: events.length,
      // OFF.
      refusals: stream === 'b' ? [409] : [],
    }
    const answer = isKeyed ? await asker.surely(0, request) : (await asker.once(0, request)).answer
    const isAcknowledged = answer?.status === 200
    if (isAcknowledged && isBatch && answer.body.accepted !== events.length) {
      ledger.found(wrong(`a batch of ${events.length} events for rules was answered by ${answer.text.slice(0, 300)}`))
    }
    for (const one of noted) Object.assign(one, { answered: performance.now(), isAcknowledged })
  }

  const body = (): object => rulesSchema(name, [lastEpoch], notifid, extra)

  /** Another pattern in the place of the one of this epoch, of whose events none is under way. */
  async function edit(random: Random): Promise<void> {
    epoch = 0
    while ((underWay.get(lastEpoch) ?? 0) > 0) await sleep(5)
    extra = { isCounted: random.chance(0.5), isFiltered: random.chance(0.5), hasOther: !extra.hasOther }
    lastEpoch++
    await asker.surely(0, { what: 'edits of rules', method: 'PUT', path: '/stream?force=1', body: body() })
    epoch = lastEpoch
  }

  async function turnOff(random: Random): Promise<void> {
    const stream = random.pick(['b', switched, switched])
    const put = (state: string) =>
      asker.surely(0, {
        what: 'states of streams',
        method: 'PUT',
        path: `/stream/${name}/${stream}/state`,
        body: { state },
      })
    const meanwhile = () => sleep(random.whole(0, 400))
    if (stream === switched)
      return switching.turn(
        () => put('OFF'),
        meanwhile,
        () => put('ON'),
      )
    await put('OFF')
    await meanwhile()
    await put('ON')
  }

  /** The stored events of both streams in their order, each as it was sent. */
  async function events(reader: Client, isKept: (one: Posted) => boolean, findings: Finding[]): Promise<Ordered[]> {
    const found: Ordered[] = []
    const arrivals = await readArrivals(brokers, name)
    for (const stream of ['a', 'b'] as const) {
      const there = new Set<number>()
      for (const one of await inOrder(reader, name, stream, findings)) {
        const { id, _pk, _id, before: _1, seen: _2, sum: _3, last: _4, seen_1d: _5, sum_1d: _6, ...rest } = one.event
        const of = `event ${id} of ${name}.${stream}`
        const sent = posted[stream].get(Number(id))
        if (there.has(Number(id))) findings.push(doubled(of))
        there.add(Number(id))
        if (sent === undefined) findings.push(wrong(`${of} was never sent`))
        else if (!isDeepStrictEqual({ ...rest, id, _pk: sent.event._pk ?? _pk }, { _pk, ...sent.event })) {
          findings.push(wrong(`${of} is ${json(one.event)}, and was sent as ${json(sent.event)}`))
        }
        const came = arrivals.get(Number(id))
        if (came === undefined && brokers !== undefined) findings.push(lost(`${of} among those that wait for a turn`))
        found.push(came === undefined ? one : { ...one, came })
      }
      for (const [id, one] of posted[stream]) {
        if (one.isAcknowledged && isKept(one) && !there.has(id)) findings.push(lost(`event ${id} of ${name}.${stream}`))
      }
    }
    return found.sort((one, other) => one.seq - other.seq)
  }

  /** The rows and attributes that rules made, beside one pass over the stored events. */
  async function compare(
    reader: Client,
    isKept: (one: Posted) => boolean,
  ): Promise<{ findings: readonly Finding[]; there: number }> {
    const findings: Finding[] = []
    const all = await events(reader, isKept, findings)
    if (findings.length > 0) return { findings, there: all.length }
    const referred = createReferred()
    for (const one of all) {
      for (const [member, value] of Object.entries(referred(one))) {
        if (!isDeepStrictEqual(one.event[member], value)) {
          findings.push(
            wrong(`${member} of event ${one.event.id} of ${name}.${one.stream} is ${one.event[member]}, not ${value}`),
          )
        }
      }
    }
    const epochs = Array.from({ length: lastEpoch }, (_, i) => i + 1)
    // Names of one pattern alone differ from those of many.
    const schema = decodeSchema(rulesSchema(name, epochs.length > 1 ? epochs : [1], notifid, extra))
    const expected = onePass(schema, all)
    for (const stream of madeStreams) {
      const rows: Event[] = await reader.documents(`select * from ${name}.${stream}`)
      findings.push(...different(`${name}.${stream}`, rows, expected.get(stream) ?? []))
    }
    findings.push(...checkSilence(name, await reader.documents(`select * from ${name}.${silent}`), all))
    findings.push(...checkVisits(name, await reader.documents(`select * from ${name}.${visits}`), all))
    findings.push(...(await singles(reader, expected.get(switched) ?? [])))
    const stored = await reader.documents(`select * from notif where notifid = ${notifid}`)
    findings.push(
      ...different(
        `notification ${notifid}`,
        stored.map(({ notif_event }) => notif_event),
        expected.get(notifid) ?? [],
      ),
    )
    const [row] = await reader.rows(`select aggr(k) from ${name}.pairs rollup 1`)
    const count = row === undefined ? 0 : JSON.parse(String(row.v)).aggr_val.cnt
    const pairs = expected.get('pairs')?.length ?? 0
    if (count !== pairs)
      findings.push((count < pairs ? lost : doubled)(`${name}.pairs counts ${count} of ${pairs} rows`))
    return { findings, there: all.length }
  }

  /** Rows of a stream that was OFF at times. */
  async function singles(reader: Client, expected: readonly Event[]): Promise<Finding[]> {
    const rows: Event[] = await reader.documents(`select * from ${name}.${switched}`)
    const [maybe, must] = [new Set<unknown>(), [] as Event[]]
    for (const row of expected) {
      const { sent = 0, answered = Infinity } = posted.a.get(Number(row.id)) ?? {}
      const wasOn = switching.wasOn(sent, answered)
      if (wasOn) must.push(row)
      else if (wasOn === undefined) maybe.add(row.id)
    }
    const counted = new Set(rows.map(({ id }) => id))
    const twice =
      rows.length > counted.size ? [doubled(`${rows.length - counted.size} rows of ${name}.${switched}`)] : []
    return [
      ...twice,
      ...different(
        `${name}.${switched}`,
        rows.filter(({ id }) => !maybe.has(id)),
        must,
      ),
    ]
  }

  const restored = createRestored({ ...deps, name, compare })

  return {
    async open(): Promise<void> {
      const template = { notifid, endpoints: [hook.url(`/${notifid}`)] }
      await asker.surely(0, { what: 'templates', method: 'POST', path: '/db/notification/register', body: template })
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: body(), refusals: [409] })
    },
    async act(random: Random): Promise<void> {
      if (posted.a.size + posted.b.size > most * lived()) return
      const mine = epoch
      underWay.set(mine, (underWay.get(mine) ?? 0) + 1)
      await post(random, mine).finally(() => underWay.set(mine, (underWay.get(mine) ?? 0) - 1))
    },
    async change(random: Random): Promise<void> {
      if (isChanging) return
      isChanging = true
      await (random.chance(0.5) ? edit(random) : turnOff(random)).finally(() => {
        isChanging = false
      })
    },
    backup: restored.act,
    async check(): Promise<readonly Finding[]> {
      const { findings, there } = await compare(asker.reader, () => true)
      counted = there
      return findings
    },
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  } satisfies Load & Record<string, unknown>
}
