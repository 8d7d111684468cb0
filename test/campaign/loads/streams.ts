import { isDeepStrictEqual } from 'node:util'
import { differences } from '../../api/streams/compare.ts'
import { next } from '../../api/streams/crash-schema.ts'
import type { Event, WireSchema } from '../../api/streams/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { type Client, json } from '../../support/requests/client.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'
import { createNotices } from './notices.ts'
import { type Removed, removable, removedOf, schemaWithout, sentSchema } from './schema.ts'

/** Beyond this the comparison takes longer than the round. */
const most = 12_000

/** An event that was sent, by what tells it apart; the service's answer says its `_pk` where it has none of its own. */
type Sent = { readonly event: Readonly<Record<string, unknown>>; isAcknowledged: boolean; pk?: number }

type Stream = 's' | 't'
const streamNames = ['s', 't'] as const
/** Clocks of the service and of this process are read at other moments, and a jump back is made up for within a minute. */
const [soonest_ms, latest_ms] = [180_000, 5_000]
const idOf = (stream: Stream, event: Readonly<Record<string, unknown>>): number =>
  Number(stream === 's' ? event._pk : event.id)

/** Events one by one and in batches, with keys and without, while their schema is edited and rebuilt. */
export function createStreams({ asker, ledger, hook, generation, isKafka }: LoadDeps) {
  const name = `load${generation}`
  const notices = createNotices({ asker, hook, generation })
  const sent: Readonly<Record<Stream, Map<number, Sent>>> = { s: new Map(), t: new Map() }
  let made = 0
  const fresh = (stream: Stream): Readonly<Record<string, unknown>> =>
    stream === 's' ? next() : { id: ++made, n: (made * 7) % 13 }
  /** The parts that the schema may lack: by the last edit that was answered, and by each one since. */
  let candidates: Removed[] = [new Set()]
  let isEditing = false

  function note(stream: Stream, events: readonly Readonly<Record<string, unknown>>[]): readonly Sent[] {
    return events.map((event) => {
      const one: Sent = { event, isAcknowledged: false }
      sent[stream].set(idOf(stream, event), one)
      return one
    })
  }

  /** Sends events and marks the acknowledged ones; with a key it sends them until they are acknowledged. */
  async function post(random: Random, stream: Stream, count: number, isKeyed: boolean): Promise<void> {
    const process = random.whole(0, asker.processes - 1)
    const isBatch = count > 1
    /** Keys of a batch are members of its events, or it has one as a whole. */
    const isOwn = isKeyed && isBatch && random.chance(0.5)
    const events = note(
      stream,
      Array.from({ length: count }, () => {
        const event = fresh(stream)
        return isOwn ? { ...event, _id: `${name} ${idOf(stream, event)}` } : event
      }),
    )
    const ids = events.map(({ event }) => idOf(stream, event))
    const lines = events.map(({ event }) => `${json(event)}\n`)
    const request = {
      what: isBatch ? 'events in batches' : 'events one by one',
      method: 'POST',
      path: `/stream/${name}/${stream}`,
      body: isBatch ? lines.join('') : events[0]?.event,
      headers: {
        ...(isBatch ? { 'content-type': 'application/x-ndjson' } : {}),
        ...(isKeyed && !isOwn ? { 'idempotency-key': `${name} ${ids[0]}` } : {}),
      },
      weight: count,
    }
    const began = Date.now()
    const answer = isKeyed ? await asker.surely(process, request) : (await asker.once(process, request)).answer
    if (answer?.status !== 200) return
    if (isBatch && (answer.body.accepted !== count || answer.body.rejected !== 0)) {
      ledger.found(wrong(`a batch of ${count} was answered by ${answer.text.slice(0, 300)}`))
    }
    for (const one of events) one.isAcknowledged = true
    const [only] = events
    if (!isBatch && only) only.pk = Number(answer.body._pk)
    if (!isBatch && stream === 't') checkTime(Number(answer.body._pk), began, Date.now())
    if (!isBatch && random.chance(0.2)) await look(process, stream, ids[0] ?? 0)
  }

  /** An event without a `_pk` gets the time at which it came, whatever the computer's clock did meanwhile. */
  function checkTime(pk: number, began: number, ended: number): void {
    const isRight = pk / 1000 > began - soonest_ms && pk / 1000 < ended + ledger.ahead() + latest_ms
    if (!isRight)
      ledger.found(wrong(`an event of ${name}.t got the time ${pk}, and was sent between ${began} and ${ended} ms`))
  }

  /** Whether an acknowledged event is seen at once by the process that took it. */
  async function look(process: number, stream: Stream, id: number): Promise<void> {
    const sql = `select * from ${name}.${stream} where ${stream === 's' ? '_pk' : 'id'} = ${id}`
    const request = { what: 'queries', method: 'POST', path: '/db/mydb/query', body: { sql } }
    const { answer } = await asker.once(process, request)
    if (answer?.status !== 200) return
    const count = answer.body.num_items
    if (count === 0) ledger.found(lost(`event ${id} of ${name}.${stream} was not seen right after its acknowledgement`))
    if (count > 1 && !isKafka) ledger.found(doubled(`event ${id} of ${name}.${stream} was seen ${count} times`))
  }

  async function edit(random: Random): Promise<void> {
    const wanted: Removed = new Set(removable.filter(() => random.chance(0.4)))
    const schema = sentSchema(schemaWithout(name, wanted), notices.each, notices.gathered)
    const process = random.whole(0, asker.processes - 1)
    const request = { what: 'edits', method: 'PUT', path: '/stream?force=1', body: schema, refusals: [409] }
    const { answer } = await asker.once(process, request)
    if (answer?.status === 200) candidates = [wanted]
    else candidates.push(wanted)
  }

  async function rebuild(random: Random): Promise<void> {
    const process = random.whole(0, asker.processes - 1)
    const path = `/stream/${name}/s/rebuild`
    await asker.once(process, { what: 'rebuilds', method: 'POST', path, body: '', refusals: [409] })
  }

  /** The schema as it is shown, which must be one that was asked for. */
  async function present(): Promise<{ schema: WireSchema; findings: readonly Finding[] }> {
    const removed = removedOf(await asker.reader.ok(asker.reader.get(`/stream/${name}/schema`)))
    const schema = schemaWithout(name, removed)
    const is = candidates.some((each) => isDeepStrictEqual(each, removed))
    const shown = (each: Removed): string => `[${[...each].join()}]`
    const asked = candidates.map(shown).join(' or ')
    if (is) candidates = [removed]
    return { schema, findings: is ? [] : [lost(`${name} lacks ${shown(removed)}, and was to lack ${asked}`)] }
  }

  /** The events that are there, after comparing each with the one that was sent. */
  async function events(
    stream: Stream,
    findings: Finding[],
    reader = asker.reader,
    isMissed = (_stream: Stream, _id: number, { isAcknowledged }: Sent): boolean => isAcknowledged,
  ): Promise<Event[]> {
    const found = await reader.documents(`select * from ${name}.${stream}`)
    const there = new Map<number, Event>()
    for (const { _v, ...event } of found) {
      const id = idOf(stream, event)
      const one = sent[stream].get(id)
      const of = `event ${id} of ${name}.${stream}`
      if (there.has(id)) findings.push(doubled(of))
      if (one === undefined) findings.push(wrong(`${of} was never sent: ${json(event)}`))
      else if (
        !isDeepStrictEqual({ ...event, _pk: Number(event._pk) }, { ...one.event, _pk: one.pk ?? Number(event._pk) })
      )
        findings.push(wrong(`${of} is ${json(event)}, and was sent as ${json(one.event)}, _pk ${one.pk}`))
      there.set(id, { ...event, ...one?.event, _pk: Number(event._pk) })
    }
    for (const [id, one] of sent[stream]) {
      if (!there.has(id) && isMissed(stream, id, one)) findings.push(lost(`event ${id} of ${name}.${stream}`))
    }
    return [...there.values()]
  }

  async function rebuildsEnded(): Promise<readonly Finding[]> {
    const { streams } = await asker.reader.ok(asker.reader.get(`/stream/${name}/info`))
    return streams
      .filter(({ rebuild: one }: { rebuild?: { state: string } }) => one?.state === 'running')
      .map(({ name: stream }: { name: string }) => wrong(`the rebuild of ${name}.${stream} has not ended`))
  }

  /**
   * Compares a copy of the service as it is now: an event that is not there has to be among those that were set aside, and
   * what is there has to be as it was sent.
   */
  function ofCopy(): (client: Client) => Promise<readonly Finding[]> {
    const acknowledged = new Map(
      streamNames.map((stream) => [
        stream,
        new Set([...sent[stream]].filter(([, one]) => one.isAcknowledged).map(([id]) => id)),
      ]),
    )
    return async (client) => {
      const findings: Finding[] = []
      const posted: Record<Stream, Event[]> = { s: [], t: [] }
      let missed = 0
      for (const stream of streamNames) {
        const of: Finding[] = []
        posted[stream] = await events(stream, of, client, (_, id) => acknowledged.get(stream)?.has(id) === true)
        const missing = of.filter(({ kind }) => kind === 'lost')
        findings.push(...of.filter(({ kind }) => kind !== 'lost'))
        missed += missing.length
      }
      const aside = (await client.ok(client.get('/health/ready'))).parts.clickhouse.rejected_events
      if (missed > aside) findings.push(lost(`${missed} events of ${name}, and ${aside} are told to be set aside`))
      if (findings.length > 0) return findings
      const schema = schemaWithout(name, removedOf(await client.ok(client.get(`/stream/${name}/schema`))))
      return (await differences(client, schema, posted)).map(wrong)
    }
  }

  let counted = 0
  return {
    name,
    ofCopy,
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
    async open(): Promise<void> {
      await notices.open()
      const schema = sentSchema(schemaWithout(name, new Set()), notices.each, notices.gathered)
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schema })
    },
    async act(random: Random): Promise<void> {
      if (sent.s.size + sent.t.size > most) return
      const stream = random.pick(['s', 's', 't'] as const)
      const count = random.pick([1, 1, 1, random.whole(2, 30), random.whole(30, 200)])
      await post(random, stream, count, random.chance(0.5))
    },
    /** Changes of the schema, one at a time. */
    async change(random: Random): Promise<void> {
      if (isEditing) return
      isEditing = true
      await (random.chance(0.7) ? edit(random) : rebuild(random)).finally(() => {
        isEditing = false
      })
    },
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      const { schema, findings: ofSchema } = await present()
      const posted = { s: await events('s', findings), t: await events('t', findings) }
      counted = posted.s.length + posted.t.length
      const all = [...findings, ...ofSchema, ...(await rebuildsEnded())]
      // Where events are wrong, so is all that is made of them.
      if (all.length > 0) return all
      const derived = await differences(asker.reader, schema, posted)
      return [...derived.map(wrong), ...(await notices.check(posted.s))]
    },
  } satisfies Load & Record<string, unknown>
}

export type Streams = ReturnType<typeof createStreams>
