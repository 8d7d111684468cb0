import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'
import type { Logger } from '../../logger.ts'
import type { KeyedAnswer } from '../port.ts'
import type { KeptAnswers, LeftClaim, Progress } from './answers.ts'
import type { KafkaClient } from './client.ts'
import type { KafkaQueue, Part } from './produce/queue.ts'
import type { Batch } from './produce/sender.ts'
import { createTopicSearch, seqsOf } from './search.ts'
import type { KafkaTopics, Offsets } from './topics.ts'

export type KafkaClaimsDeps = {
  readonly client: KafkaClient
  readonly topics: KafkaTopics
  readonly logger: Logger
  readonly answers: KeptAnswers
}

/** Lines under keys; `partitionKeys` has one for each line, where the stream declares any. */
export type KeyedLines = {
  readonly lines: Buffer
  readonly keyed: readonly KeyedAnswer[]
  readonly partitionKeys: readonly string[] | undefined
}

/** The parts of an append that go to Kafka, and the keys and lines of each. */
type Plan = {
  readonly parts: readonly Part[]
  /** By part the keys of its lines. */
  readonly own: readonly (readonly KeyedAnswer[])[]
  /** The `_seq` of the lines of each part: of all lines where a search needs them, otherwise of one. */
  readonly seqs: readonly (readonly number[])[]
  readonly whole: KeyedAnswer | undefined
  /** The progress of the request that `whole` stands for, where it may be stored in part. */
  readonly progress: Progress | undefined
  /**
   * The progress of the request's lines behind this append: the repeat of a request may be cut in shorter appends than
   * the request was.
   */
  readonly behind: Progress
}

const again_ms = 1_000
const longestClose_ms = 4_000

/**
 * Idempotency keys of appends, from before their events are sent until their outcome is known.
 *
 * A part of an append is stored whole or not at all, the append as such is not. Keys of lines go with the part that
 * their line is in. A key of a whole request is answered once all parts are stored, and free once it is known that no
 * part is. In between it stays claimed with the known state of each line, and a repeat sends the lines that are
 * missing.
 */
export function createKafkaClaims({ client, topics, logger, answers }: KafkaClaimsDeps) {
  const unknown = new Set<string>()
  const search = createTopicSearch({ client, topics, logger })
  let isClosed = false

  const forget = (queue: string, keyed: readonly KeyedAnswer[]): void => {
    for (const { key } of keyed) unknown.delete(nameOf(queue, key))
  }

  const release = (queue: string, keyed: readonly KeyedAnswer[]): void => {
    if (isClosed || keyed.length === 0) return
    answers.release(queue, keyed).catch((error: unknown) => logger.warn({ err: error, queue }, 'keys not released'))
    forget(queue, keyed)
  }

  /**
   * Writes the outcome of keys, again until it succeeds, since a full disk may have room again. Until then repeats find
   * the outcome unknown.
   */
  async function settle(queue: string, keyed: readonly KeyedAnswer[], write: () => Promise<void>): Promise<void> {
    if (isClosed || keyed.length === 0) return
    try {
      await write()
      forget(queue, keyed)
    } catch (error) {
      logger.error({ err: error, queue }, 'answers not kept, retrying')
      void sleep(again_ms, undefined, { ref: false }).then(() => settle(queue, keyed, write))
    }
  }

  const keep = (queue: string, keyed: readonly KeyedAnswer[]): Promise<void> =>
    settle(queue, keyed, () => answers.put(queue, keyed))

  /** Where some lines are stored the request waits for a repeat, else its key is free. */
  async function leave(queue: string, whole: KeyedAnswer, progress: Progress): Promise<void> {
    if (!progress.includes(0)) release(queue, [whole])
    else await settle(queue, [whole], () => answers.keepPartial(queue, whole, progress))
  }

  function plan(queue: string, { cut }: Pick<KafkaQueue, 'cut'>, { lines, keyed, partitionKeys }: KeyedLines): Plan {
    const whole = keyed.find(({ request }) => request)
    const own = keyed.filter((each) => each !== whole)
    const before = whole && answers.partial(queue, whole.key)
    const rest = before ? missing({ lines, keyed: own, partitionKeys }, before, whole) : { lines, partitionKeys }
    const parts = cut(rest.lines, rest.partitionKeys)
    const [only] = keyed
    if (parts.length === 1 && !before)
      return { parts, own: [own], seqs: [[only?.seq ?? 0]], whole, progress: undefined, behind: nothing }
    const bySeq = new Map(own.map((each) => [each.seq, each]))
    const seqs = parts.map((part) => seqsOf(part.lines))
    const unkeyed = withoutOwn(seqsOf(lines), bySeq)
    return {
      parts,
      own: seqs.map((ofPart) => ofPart.flatMap((seq) => bySeq.get(seq) ?? [])),
      seqs,
      whole,
      progress: before ? onItsWay(before.progress, unkeyed) : Float64Array.from(unkeyed),
      behind: before ? before.progress.subarray(unkeyed.length) : nothing,
    }
  }

  /** Settles keys as it becomes known which parts are stored. */
  function follow(queue: string, planned: Plan, from: Offsets, batches: readonly Batch[]): void {
    const { own, seqs, whole, progress, behind } = planned
    const arrived = new Set<number>()
    let [left, lost] = [batches.length, 0]

    async function settled(part: number, isStored: boolean): Promise<void> {
      if (isStored) for (const seq of seqs[part] ?? []) arrived.add(seq)
      else lost++
      const isDone = --left === 0
      const ofPart = own[part] ?? []
      const isWhole = isDone && lost === 0
      if (!isStored) release(queue, ofPart)
      else await keep(queue, whole && isWhole ? [...ofPart, whole] : ofPart)
      if (whole && isWhole && behind.includes(0)) await leave(queue, whole, behind)
      if (!whole || !isDone || isWhole) return
      if (progress) await leave(queue, whole, progressBy(progress, arrived))
      else release(queue, [whole])
    }

    async function lookUp(part: number, over: Promise<unknown>): Promise<void> {
      const seq = seqs[part]?.at(-1) ?? 0
      await over
      await settled(part, (await search.find(queue, { seqs: [seq], from })).has(seq))
    }

    for (const [part, { listeners }] of batches.entries()) {
      listeners.push({
        stored: () => settled(part, true),
        lost: () => void settled(part, false),
        unknown: (over) => void lookUp(part, over),
      })
    }
  }

  /** Finds out the outcome of a claim that a process left. */
  async function lookUpLeft(queue: string, { from, ...claim }: LeftClaim): Promise<void> {
    const { progress } = claim
    const found = await search.find(queue, { seqs: progress ? onTheWay(progress) : [claim.seq], from })
    if (progress) await leave(queue, claim, progressBy(progress, found))
    else if (found.has(claim.seq)) await keep(queue, [claim])
    else release(queue, [claim])
  }

  /** Looks up the claims that killed processes have left; until then repeats of their keys are refused. */
  function lookUpAllLeft(queue: string): void {
    for (const claim of answers.left(queue)) {
      if (unknown.has(nameOf(queue, claim.key))) continue
      unknown.add(nameOf(queue, claim.key))
      void lookUpLeft(queue, claim)
    }
  }

  /**
   * Throws a fault where the outcome of the first request with one of the keys is not known, or became known only after
   * this request had looked it up, or where another process goes on with that request; or where no key can be kept.
   */
  function check(queue: string, keyed: readonly KeyedAnswer[]): void {
    for (const { key, request } of keyed) {
      if (!unknown.has(nameOf(queue, key)) && answers.get(queue, key) === request?.before) {
        const claimed = answers.claimedElsewhere(queue, key)
        if (claimed === undefined) continue
        if (claimed === 'left') lookUpAllLeft(queue)
      }
      const what = `what became of the first request with key ${JSON.stringify(key)} is not known yet`
      throw fault('unavailable', `${what}: Kafka has not answered`, { retryAfter: 1 })
    }
    answers.check(keyed.length)
  }

  return {
    settle: lookUpAllLeft,

    /** Sends lines once it is on disk that they bear these keys; of a request that is half stored the other half. */
    async send(queue: string, to: Pick<KafkaQueue, 'cut' | 'add' | 'produced'>, asked: KeyedLines): Promise<Batch[]> {
      const { keyed } = asked
      check(queue, keyed)
      const planned = plan(queue, to, asked)
      const from = new Map([...to.produced].map(([partition, last]) => [partition, last + 1]))
      for (const { key } of keyed) unknown.add(nameOf(queue, key))
      if (planned.parts.length === 0) {
        await keep(queue, keyed)
        if (planned.whole && planned.behind.includes(0)) await leave(queue, planned.whole, planned.behind)
        return []
      }
      try {
        await answers.claim(queue, keyed, from, planned.progress)
      } catch (error) {
        // Nothing was sent. The note on disk of a request that is half stored stays as it was.
        const isHalf = planned.progress?.includes(0) ?? false
        release(
          queue,
          keyed.filter((each) => !(isHalf && each.request)),
        )
        forget(queue, keyed)
        throw error
      }
      const batches = planned.parts.map(to.add)
      follow(queue, planned, from, batches)
      return batches
    },

    /** Ends the search for lines of a deleted stream. */
    forget(queue: string): void {
      search.forget(queue)
      for (const name of unknown) if (name.startsWith(nameOf(queue, ''))) unknown.delete(name)
    },

    async close(): Promise<void> {
      isClosed = true
      await search.close(longestClose_ms)
    },
  }
}

const withoutOwn = (seqs: readonly number[], own: ReadonlyMap<number, KeyedAnswer>): number[] =>
  seqs.filter((seq) => !own.has(seq))

const onTheWay = (progress: Progress): Progress => progress.filter((line) => line > 0)

/** The progress once no line is on its way. */
const progressBy = (progress: Progress, stored: ReadonlySet<number>): Progress =>
  progress.map((line) => (line > 0 ? (stored.has(line) ? 0 : -1) : line))

const nothing: Progress = new Float64Array()

/** The lines that are missing are on their way again, under another `_seq`; the lines behind them are not. */
function onItsWay(before: Progress, now: readonly number[]): Progress {
  const length = Math.max(before.length, now.length)
  return Float64Array.from({ length }, (_, i) => (before[i] === 0 ? 0 : (now[i] ?? before[i] ?? -1)))
}

/** The lines that are not stored yet; a fault where the lines differ from the first request's. */
function missing(
  { lines, keyed, partitionKeys }: KeyedLines,
  { progress: before, isMore: wasMore }: { readonly progress: Progress; readonly isMore: boolean },
  { request }: KeyedAnswer,
): Pick<KeyedLines, 'lines' | 'partitionKeys'> {
  const ownSeqs = new Set(keyed.map(({ seq }) => seq))
  const kept: Buffer[] = []
  const keptKeys: string[] = []
  let [start, without] = [0, 0]
  for (const [i, seq] of seqsOf(lines).entries()) {
    const end = lines.indexOf('\n', start) + 1
    const isThere = !ownSeqs.has(seq) && before[without++] === 0
    if (!isThere) {
      kept.push(lines.subarray(start, end))
      keptKeys.push(partitionKeys?.[i] ?? '')
    }
    start = end
  }
  // The repeat of an append amid a request may be cut otherwise.
  if ((without > before.length && !wasMore) || (without < before.length && !request?.isMore)) {
    const what = `of the first request with this key ${before.length} lines were taken in part, this one has ${without}`
    throw fault('conflict', `${what}: repeat it as it was, or use another key`)
  }
  return { lines: Buffer.concat(kept), partitionKeys: partitionKeys && keptKeys }
}

const nameOf = (queue: string, key: string): string => `${queue}\n${key}`
