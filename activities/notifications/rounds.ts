import { randomUUID } from 'node:crypto'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Notification } from '../../sql/notification/decode.ts'
import { type Delivery, type DeliveryResult, mailEndpoint, saidOfOff } from './delivery/delivery.ts'
import { gather, type Match, type Send, type Tally } from './gather.ts'
import type { LogStore, Round } from './log-store.ts'
import type { MatchKey, MatchReader } from './match-reader.ts'
import type { Outbox, OutboxPlace, OutboxSend } from './outbox.ts'
import { payloadOf } from './payload.ts'
import type { Payloads } from './payloads.ts'
import type { Timeline } from './timeline.ts'

export type RoundsDeps = {
  readonly isShared: boolean
  readonly matches: MatchReader
  readonly outbox: Outbox
  readonly store: LogStore
  readonly timeline: Timeline
  readonly payloads: Payloads
  readonly deliver: (pending: readonly Delivery[]) => void
  readonly now_us: () => number
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'notifications'>
}

/** Each may be a send to a hundred endpoints, and a round is one block of ClickHouse. */
const maxMatches = 2_000
const fewMatches = 200
/** Sends of the outbox that one round takes; each has up to 64 KB. */
const maxOutbox = 100
/** The size, about, of the events of a round. */
const roundBytes = 8 * 1024 * 1024
/** Handled matches are taken out when there are this many, or after `clean_ms`. */
const manyHandled = 10_000
const clean_ms = 2_000

/** Another process makes the sends. */
export class Superseded extends Error {}

/**
 * Makes sends of matches, round by round. A round is one insert: which matches it handled, the tallies, the sends and
 * their pending deliveries. It is there whole or not at all, and only then its deliveries begin; so each match is handled
 * once, wherever a crash cuts a round off.
 */
export function createRounds(deps: RoundsDeps) {
  const { isShared, matches, outbox, store, timeline, payloads, deliver, now_us, logger, metrics } = deps
  /** Not the process's own name, which the one that succeeds it has too: its last round may still be on its way. */
  let holder = ''
  let number = 0
  let tallies = new Map<number, Tally>()
  let handled: MatchKey[] = []
  let taken: OutboxPlace = { number: 0, place: 0 }
  /** A round whose insert failed, and may have happened. */
  let unsure: Round | undefined
  /** How many matches the next round reads: as many as the size of events allows. */
  let limit = fewMatches
  let cleaned = 0
  let isDirty = false

  async function next(): Promise<{ found: Match[]; ready: OutboxSend[] }> {
    const found = await matches.next(limit)
    const ready = await outbox.next(taken, maxOutbox)
    // A match goes by the template as it was when its event came: versions written before the match are read after it.
    if (isShared && found.length + ready.length > 0) await timeline.refresh()
    return { found, ready }
  }

  function plan(found: readonly Match[], ready: readonly OutboxSend[]): Round | undefined {
    const by = byTemplate(found)
    const now = now_us()
    const changed = new Map<number, Tally>()
    const sends: Send[] = []
    const waiting = [...tallies].filter(([, tally]) => tally.waiting).map(([notifid]) => notifid)
    for (const notifid of new Set([...by.keys(), ...waiting])) {
      const before = tallies.get(notifid)
      const made = gather(before, timeline.of(notifid), by.get(notifid) ?? [], now)
      const tally = made.tally ?? (before?.waiting && { registered: -1, total: 0, sent: 0 })
      const isSame = tally === undefined || (made.sends.length === 0 && isEqual(tally, before))
      if (!isSame) changed.set(notifid, tally)
      sends.push(...made.sends)
    }
    const last = ready.at(-1)
    if (found.length === 0 && changed.size === 0 && last === undefined) return undefined
    const keys = found.map(({ source, seq }): MatchKey => [source, String(seq)])
    const all = [...sends.map((send) => ofMatches(send, changed)), ...ready.flatMap(ofOutbox)]
    return {
      number: number + 1,
      holder,
      handled: [...handled, ...keys],
      ...(last && { taken: { number: last.number, place: last.place } }),
      ...written(all, changed),
    }
  }

  const ofMatches = (send: Send, changed: Map<number, Tally>): Planned => ({
    notification: send.version.notification,
    payloadAt(ts) {
      const { notifid } = send.version.notification
      const tally = changed.get(notifid)
      if (tally) changed.set(notifid, { ...tally, sent: ts })
      return payloadOf(send, ts)
    },
  })

  /** A template that is paused or removed sends nothing. `freq` is of matches: a watch says itself how often it sends. */
  function ofOutbox({ notifid, payloadAt }: OutboxSend): Planned[] {
    const template = timeline.current(notifid)
    if (template?.state !== 1) return []
    const { notification } = template
    return [{ notification, payloadAt: (ts) => payloadAt(ts, notification.name) }]
  }

  /** Sends by priority, each with its moment. */
  function written(sends: Planned[], changed: Map<number, Tally>): Pick<Round, 'sends' | 'deliveries' | 'tallies'> {
    sends.sort((a, b) => a.notification.pri - b.notification.pri)
    const made = sends.map(({ notification, payloadAt }) => {
      const ts = now_us()
      const { notifid } = notification
      const off = timeline.current(notifid)?.endpointsOff ?? []
      return { notifid, ts, payload: payloadAt(ts), deliveries: deliveriesOf(notification, ts, off) }
    })
    return {
      tallies: changed,
      sends: made.map(({ deliveries: _, ...send }) => send),
      deliveries: made.flatMap(({ deliveries }) => deliveries),
    }
  }

  async function commit(round: Round): Promise<void> {
    unsure = round
    await store.commit(round)
    const last = isShared ? await store.lastRound() : round
    unsure = undefined
    if (last.number !== round.number || last.holder !== holder) throw new Superseded()
    number = round.number
    handled = [...round.handled]
    taken = round.taken ?? taken
    isDirty = true
    for (const [notifid, tally] of round.tallies) tallies.set(notifid, tally)
    for (const { ts, payload } of round.sends) payloads.keep(ts, payload)
    metrics.notifications.inc(round.sends.length)
    deliver(round.deliveries.flatMap(({ delivery, state }) => (state === 'pending' ? [delivery] : [])))
  }

  async function clean(): Promise<void> {
    if (!isDirty || (handled.length < manyHandled && performance.now() - cleaned < clean_ms)) return
    cleaned = performance.now()
    handled = await matches.clean()
    isDirty = false
  }

  return {
    /** Takes up where the last round ended. */
    async load(): Promise<void> {
      unsure = undefined
      holder = randomUUID()
      const last = await store.lastRound()
      number = last.number
      tallies = await store.tallies()
      handled = await matches.handled()
      taken = await store.taken()
      isDirty = handled.length > 0
    },

    /** Throws `Superseded` where a round was written that this process does not know. */
    async check(): Promise<void> {
      if (unsure === undefined && (await store.lastRound()).number !== number) throw new Superseded()
    },

    /** Makes one round, or none where no match waits; answers whether more wait. Throws `Superseded`. */
    async run(): Promise<boolean> {
      if (unsure) await commit(unsure)
      const { found, ready } = await next()
      const isFull = found.length === limit
      limit = nextLimit(found, isFull)
      const round = plan(found, ready)
      if (round) await commit(round)
      await clean().catch((error: unknown) => logger.warn({ err: error }, 'handled matches not taken out, retrying'))
      return isFull || ready.length === maxOutbox
    },
  }
}

export type Rounds = ReturnType<typeof createRounds>

const isEqual = (a: Tally, b: Tally | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

function nextLimit(found: readonly Match[], isFull: boolean): number {
  if (!isFull) return fewMatches
  const bytes = found.reduce((sum, { event }) => sum + event.length, 1)
  return Math.max(1, Math.min(maxMatches, Math.floor((found.length * roundBytes) / bytes)))
}

function byTemplate(found: readonly Match[]): Map<number, Match[]> {
  const by = new Map<number, Match[]>()
  for (const match of found) {
    const list = by.get(match.notifid)
    if (list) list.push(match)
    else by.set(match.notifid, [match])
  }
  return by
}

/** A send that a round is to make. */
type Planned = { readonly notification: Notification; readonly payloadAt: (ts: number) => string }

/** One delivery an endpoint, however often it is named, and one for all of `mailto`. One to an endpoint that is off is over. */
function deliveriesOf(notification: Notification, ts: number, off: readonly string[]): DeliveryResult[] {
  const { notifid, endpoints, mailto, pri } = notification
  const all = [...new Set(endpoints), ...(mailto.length > 0 ? [mailEndpoint(mailto)] : [])]
  return all.map((endpoint, place) => {
    const delivery = { notifid, ts, place, version: 0, endpoint, priority: pri, tries: 0 }
    return off.includes(endpoint)
      ? { delivery: { ...delivery, nextTry: 0 }, state: 'failed', status: null, error: saidOfOff(notifid) }
      : { delivery: { ...delivery, nextTry: ts }, state: 'pending', status: null, error: null, nextTry: ts }
  })
}
