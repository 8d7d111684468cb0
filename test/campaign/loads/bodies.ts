import { isDeepStrictEqual } from 'node:util'
import { differences } from '../../api/streams/compare.ts'
import type { Event, WireSchema } from '../../api/streams/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { json } from '../../support/requests/client.ts'
import type { Request } from '../asking.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import { type RawAnswer, unendedChunks } from '../send-raw.ts'
import type { Load, LoadDeps } from './load.ts'

/** Beyond this the comparison takes longer than the round, and so do documents of a megabyte each. */
const [maxEvents, maxLong] = [6_000, 12]
const ndjson = { 'content-type': 'application/x-ndjson' }
/** Above the MAX_BODY_MB that a campaign's Weir has. */
const tooLarge_bytes = 2_200_000

/** `unsure`: no answer came, so it may be there or not; `out`: it may not be there. */
type Sent = { readonly event: Readonly<Record<string, unknown>>; is: 'in' | 'unsure' | 'out' }

/** Lines that are no event of the schema, as they are refused one by one. */
const badLines = ['{"id": 12,', '{"id": "twelve"}', '{"id": 1.5}', '[1]', 'null', '{"id": 1e400}']

/** Bodies of the wrong size: broken off, too large, longer than they say, with a bad line, with a line of a megabyte. */
export function createBodies({ asker, ledger, generation }: LoadDeps) {
  const name = `bodies${generation}`
  const path = `/stream/${name}/st`
  const schema: WireSchema = {
    schema: name,
    streams: [
      {
        name: 'st',
        type: 1,
        swsz: 0,
        attr: [
          { name: 'id', type: 9, stat: 'RSTAT' },
          { name: 'text', type: 5, stat: 'UCOUNT' },
        ],
      },
    ],
  }
  const sent = new Map<number, Sent>()
  let [made, madeLong, counted] = [0, 0, 0]

  function lines(count: number, is: Sent['is'], text?: string): { ids: number[]; body: string[] } {
    const ids = Array.from({ length: count }, () => ++made)
    const body = ids.map((id) => {
      const event = { id, text: text ?? `text ${id % 7}` }
      sent.set(id, { event, is })
      return `${json(event)}\n`
    })
    return { ids, body }
  }

  const mark = (ids: readonly number[], is: Sent['is']): void => {
    for (const id of ids) {
      const one = sent.get(id)
      if (one) one.is = is
    }
  }

  const request = (what: string, body: string, weight: number): Request => ({
    what,
    method: 'POST',
    path,
    body,
    headers: ndjson,
    weight,
  })

  /** The good lines of a batch that is answered count, and no others. */
  function counts(
    { answer }: { readonly answer: RawAnswer | undefined },
    ids: readonly number[],
    bad: readonly number[],
    what: string,
  ): void {
    if (!answer || answer.status >= 500) return
    mark(ids, answer.status === 200 ? 'in' : 'out')
    if (answer.status !== 200) return
    const { accepted, rejected, errors = [] } = answer.body
    const named = errors.map(({ line }: { line: number }) => line)
    if (accepted !== ids.length || rejected !== bad.length || !isDeepStrictEqual(named, bad)) {
      ledger.found(
        wrong(`${what}: ${ids.length} good lines, bad ones ${bad.join()}, answered by ${answer.text.slice(0, 300)}`),
      )
    }
  }

  /** The head says more than comes, or the last chunk never does. */
  async function brokenOff(random: Random, process: number): Promise<void> {
    const { body } = lines(random.pick([1, random.whole(2, 20), random.whole(20, 2_000)]), 'out')
    const whole = Buffer.from(body.join(''))
    const isAtLineEnd = random.chance(0.5)
    const cut = isAtLineEnd
      ? Buffer.byteLength(body.slice(0, random.whole(1, body.length)).join(''))
      : random.whole(0, whole.length)
    const part = whole.subarray(0, cut)
    const isChunked = random.chance(0.4)
    await asker.broken(process, {
      what: 'bodies broken off',
      method: 'POST',
      path,
      headers: {
        ...ndjson,
        ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': `${whole.length + 1}` }),
      },
      body: isChunked ? unendedChunks(part) : part,
      patience_ms: random.pick([0, random.whole(1, 50), random.whole(50, 2_000)]),
    })
  }

  /** The head says less than comes: its last line is cut, and nothing behind it is a line of this body. */
  async function overlong(random: Random, process: number): Promise<void> {
    const good = lines(random.whole(1, 20), 'unsure')
    const cut = lines(2, 'out')
    const body = Buffer.from([...good.body, ...cut.body].join(''))
    const length = Buffer.byteLength(good.body.join('')) + 5
    const what = 'bodies longer than they say'
    const headers = { ...ndjson, 'content-length': `${length}` }
    const answer = await asker.raw(process, { what, method: 'POST', path, headers, body, patience_ms: 30_000 })
    counts({ answer }, good.ids, [good.ids.length + 1], what)
    // The lines behind are another request, whose answer comes second.
    if (answer && answer.status >= 400 && answer.status < 500)
      ledger.found(wrong(`${what}: ${answer.status} ${answer.text}`))
  }

  async function tooLarge(random: Random, process: number): Promise<void> {
    const text = 'x'.repeat(random.whole(1_000, 2_000))
    const { body } = lines(Math.ceil(tooLarge_bytes / text.length), 'out', text)
    const { answer } = await asker.once(process, { ...request('bodies too large', body.join(''), 1), refusals: [413] })
    if (answer?.status === 200) ledger.found(wrong(`a body of ${tooLarge_bytes} bytes was taken: ${answer.text}`))
  }

  async function withBadLines(random: Random, process: number): Promise<void> {
    const what = 'batches with bad lines'
    const good = lines(random.whole(1, 100), 'unsure')
    const body = [...good.body]
    const bad = new Set<number>()
    for (let i = random.pick([1, 1, 3]); i > 0; i--) {
      const at = random.whole(0, body.length)
      body.splice(at, 0, `${random.pick(badLines)}\n`)
    }
    for (const [at, line] of body.entries()) if (badLines.includes(line.trimEnd())) bad.add(at + 1)
    const outcome = await asker.once(process, request(what, body.join(''), good.ids.length))
    counts(outcome, good.ids, [...bad], what)
  }

  async function longLine(random: Random, process: number): Promise<void> {
    madeLong++
    const length = random.whole(1_000_000, 1_500_000)
    const before = lines(random.whole(0, 3), 'unsure')
    const long = lines(1, 'unsure', `${made} `.padEnd(length, 'long '))
    const after = lines(random.whole(0, 3), 'unsure')
    const ids = [...before.ids, ...long.ids, ...after.ids]
    const what = 'lines of a megabyte'
    const outcome = await asker.once(
      process,
      request(what, [...before.body, ...long.body, ...after.body].join(''), ids.length),
    )
    counts(outcome, ids, [], what)
  }

  return {
    async open() {
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schema, refusals: [409] })
    },
    async act(random: Random) {
      const process = random.whole(0, asker.processes - 1)
      const isFull = sent.size > 20 * maxEvents || counted > maxEvents
      const kind = random.pick(['broken', 'broken', 'broken', 'overlong', 'large', 'bad', 'bad', 'long'] as const)
      if (kind === 'broken') await brokenOff(random, process)
      else if (kind === 'large') await tooLarge(random, process)
      else if (isFull) return
      else if (kind === 'overlong') await overlong(random, process)
      else if (kind === 'bad') await withBadLines(random, process)
      else if (madeLong < maxLong) await longLine(random, process)
    },
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      const there = new Map<number, Event>()
      for (const { _v, ...event } of await asker.reader.documents(`select * from ${name}.st`)) {
        const { _pk, ...rest } = event
        const one = sent.get(event.id)
        const of = `event ${event.id} of ${name}`
        if (there.has(event.id)) findings.push(doubled(of))
        if (!one) findings.push(wrong(`${of} was never sent: ${json(event).slice(0, 300)}`))
        else if (one.is === 'out') findings.push(wrong(`${of} is there, and its body was refused or broke off`))
        else if (!isDeepStrictEqual(rest, one.event)) findings.push(wrong(`${of} is ${json(rest).slice(0, 300)}`))
        there.set(event.id, { ...event, _pk: Number(_pk) })
      }
      for (const [id, { is }] of sent) if (is === 'in' && !there.has(id)) findings.push(lost(`event ${id} of ${name}`))
      counted = there.size
      if (findings.length > 0) return findings
      return (await differences(asker.reader, schema, { st: [...there.values()] })).map(wrong)
    },
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  } satisfies Load & Record<string, unknown>
}
