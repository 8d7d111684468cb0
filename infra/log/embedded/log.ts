import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../../../base/faults.ts'
import { createRuleState, openRuleData, readJournal } from '../../memory/store.ts'
import { reasonOf } from '../../unfinished.ts'
import type { Batch, Chunk, Doubt, EventLog, KeyedAnswer, LogSource } from '../port.ts'
import { createAnswers } from '../shared/answers.ts'
import { type Append, type Commit, committed, fill, gather, newCommit, upTo } from '../shared/commit.ts'
import { needRoom } from '../shared/disk-room.ts'
import { createKeptClock } from '../shared/kept-clock.ts'
import { type ChunkKey, decodeChunk, encodeChunk, headerBytes } from './chunk.ts'
import { clockName, copyLog, fileName } from './copy-log.ts'
import { createSpool, type ShippedCommit } from './spool.ts'
import { createTurnLog } from './turn-log.ts'

export type LmdbLogOptions = {
  readonly path: string
  readonly maxBytes: number
  /** Idempotency keys that are remembered at most. */
  readonly maxKeys?: number
  /** Bytes of the state of rules that are kept at most. */
  readonly maxRuleBytes?: number
  readonly maintainRulesEvery_ms?: number
  readonly fsync?: boolean
  readonly now_us?: () => number
  /** Where commits are shipped, and how many bytes of them may wait for it. */
  readonly shipping?: { readonly to: string; readonly maxBytes: number }
}

/** Room that new lines leave on the disk, for ClickHouse and for the log's own marks. */
const reservedBytes = 64 * 1024 * 1024
/** Enough for a batch's bounds, or to take it out. */
const markBytes = 1024 * 1024
/**
 * The part of the log that queues whose events ClickHouse refuses may fill together, while it takes the events of
 * others.
 */
const failingShare = 0.5
const othersFed_ms = 600_000
const notWritten = 'the log could not be written, its disk may be full'
const lostFor_ms = 10_000

/**
 * The embedded log: an LMDB file that holds each line until its batch is in ClickHouse.
 *
 * Lines that arrive while a commit is under way gather, and the next commit takes them as one chunk a queue.
 * Positions are values of the clock, which is kept beside it.
 */
export function createLmdbLog(options: LmdbLogOptions) {
  const { path, maxBytes, maxKeys = Number.MAX_SAFE_INTEGER, fsync = true } = options
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, fileName), maxDbs: 16, overlappingSync: !fsync })
  /** Queue, position, and the length of the lines, so that a start reads no line. */
  const chunks: Database<Buffer, ChunkKey> = root.openDB({ name: 'chunks', encoding: 'binary' })
  const batches: Database<Batch, string> = root.openDB({ name: 'batches' })
  const state: Database<number, string> = root.openDB({ name: 'state' })
  const doubts: Database<number, string> = root.openDB({ name: 'doubts' })
  const notes: Database<string, string> = root.openDB({ name: 'notes' })
  noteBoot()

  const id = state.get('id') ?? newId()
  const ends = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  let bytes = 0
  const timesNoted = new Map<string, number>()
  const failing = new Set<string>()
  /** Bytes of the queues that fail. */
  let failingBytes = 0
  /** The latest batches that were finished, of two queues. */
  let fed: readonly { readonly queue: string; readonly at_ms: number }[] = []
  for (const key of chunks.getKeys()) {
    const [queue, position, length] = key
    ends.set(queue, position)
    grow(queue, length)
  }
  const listeners: ((queue: string, rows: number) => void)[] = []
  const clock = createKeptClock(join(path, clockName), Math.max(0, ...ends.values()), options.now_us)
  const answers = createAnswers(root, { known_us: clock.last(), ...(options.now_us && { wall_us: options.now_us }) })
  /** Commits that wait, in their order. */
  const waiting: Commit[] = []
  /** Length of the lines that are not committed yet. */
  let uncommitted = 0
  let committing: Promise<void> | undefined
  /** The last commit, where it failed. */
  let lost: { readonly at_ms: number; readonly reason: string } | undefined

  const { maxRuleBytes = Number.MAX_SAFE_INTEGER } = options
  const ofRules = openRuleData(root)
  readJournal(ofRules)
  const rules = createRuleState({
    data: ofRules,
    maxBytes: () => maxRuleBytes,
    journalShare: () => 1,
    ...(options.maintainRulesEvery_ms !== undefined && { every_ms: options.maintainRulesEvery_ms }),
    commit(work) {
      const own = newCommit(work)
      waiting.push(own)
      committing ??= commitAll()
      return own.done
    },
  })
  const spool = createSpool({
    root,
    path,
    to: options.shipping?.to,
    maxBytes: options.shipping?.maxBytes ?? 0,
    state,
    notes,
    codec: rules.codec,
  })

  /** Batches bear it: one that is not kept would be another log's after a restart. */
  function newId(): number {
    const made = randomInt(2 ** 47)
    needRoom(path, markBytes)
    state.putSync('id', made)
    return made
  }

  /** Runs work while no commit is under way. */
  async function alone(work: () => void): Promise<void> {
    const commit = newCommit(() => work())
    waiting.push(commit)
    committing ??= commitAll()
    await commit.done
  }

  /**
   * Marks the batches that were under way when the machine went down: they may have lost a part that is synced, or its
   * token.
   */
  function noteBoot(): void {
    const now = bootName()
    if (notes.get('boot') === now) return
    needRoom(path, markBytes)
    root.transactionSync(() => {
      for (const { key, value } of [...batches.getRange()]) void batches.put(key, { ...value, isDoubtful: true })
      void notes.put('boot', now)
    })
  }

  /** False means that ClickHouse is away: then a queue that fails may fill the whole log. */
  const areOthersFed = (queue: string): boolean =>
    fed.some((each) => each.queue !== queue && performance.now() - each.at_ms < othersFed_ms)

  function grow(queue: string, length: number): void {
    bytes += length
    if (failing.has(queue)) failingBytes += length
    bytesOf.set(queue, (bytesOf.get(queue) ?? 0) + length)
  }

  async function commitAll(): Promise<void> {
    for (let commit = waiting.shift(); commit; commit = waiting.shift()) {
      let position: number
      try {
        position = await write(commit)
      } catch (error) {
        lose(commit, error)
        continue
      }
      uncommitted -= commit.bytes
      lost = undefined
      for (const settled of commit.settled) settled(true)
      commit.settle.resolve(position)
      for (const [queue, { rows }] of commit.queues) for (const listener of listeners) listener(queue, rows)
    }
    committing = undefined
  }

  /** Appends that were made on the state of rules which a commit would have left are lost with it. */
  function lose(commit: Commit, cause: unknown): void {
    lost = { at_ms: performance.now(), reason: reasonOf(cause) }
    const all = [commit, ...(commit.isOfRules ? waiting.filter(({ isOfRules }) => isOfRules) : [])]
    for (const each of all) {
      if (each !== commit) waiting.splice(waiting.indexOf(each), 1)
      for (const settled of each.settled) settled(false)
    }
    for (const each of all) {
      uncommitted -= each.bytes
      each.settle.reject(fault('limited', notWritten, { retryAfter: 5, cause, limit: 'disk' }))
    }
  }

  async function write(commit: Commit, position = clock.next()): Promise<number> {
    try {
      const plan = rules.plan(commit)
      if (commit.queues.size > 0 || plan.writes.length > 0 || plan.spaces.size > 0) await put(commit, plan, position)
      rules.kept(plan)
      return position
    } catch (error) {
      rules.lost()
      spool.lost(position)
      throw error
    }
  }

  async function put(commit: Commit, plan: ReturnType<typeof rules.plan>, position: number): Promise<void> {
    needRoom(path, reservedBytes + 4 * commit.bytes + rules.roomFor(plan))
    const values = [...commit.queues].map(([queue, part]) => ({
      queue,
      part,
      value: encodeChunk(part.lines, part.rows),
    }))
    const writes = new Set<Promise<boolean>>()
    const add = (more: Iterable<Promise<boolean>>): void => {
      for (const write of more) writes.add(write)
    }
    let undoShipping: () => Iterable<Promise<boolean>> = () => []
    try {
      add(rules.put(plan))
      for (const { queue, part, value } of values) {
        writes.add(chunks.put([queue, position, value.length - headerBytes], value))
        add(answers.put(queue, part.answers, position))
      }
      const shipping = spool.put(commit, position)
      undoShipping = shipping.undo
      add(shipping.writes)
    } catch (error) {
      // Undone in the same turn, hence in the same transaction: nothing of the commit stays.
      add(rules.unput(plan))
      add(undoShipping())
      try {
        for (const { queue, part, value } of values) {
          writes.add(chunks.remove([queue, position, value.length - headerBytes]))
          add(answers.unput(queue, part.answers, position))
        }
      } finally {
        // A key that could not be put cannot be looked for either; none behind it was put.
        await committed(writes)
      }
      throw error
    }
    await committed(writes)
    for (const { queue, value } of values) {
      grow(queue, value.length - headerBytes)
      ends.set(queue, position)
    }
  }

  function room(queue: string, length: number, keys = 0): void {
    if (bytes + uncommitted + length > maxBytes) {
      throw fault('limited', `the log is full: ${bytes} bytes wait for ClickHouse`, {
        retryAfter: 1,
        limit: 'MAX_LOG_MB',
      })
    }
    if (failing.has(queue) && areOthersFed(queue) && failingBytes + uncommitted + length > maxBytes * failingShare) {
      throw fault('limited', `ClickHouse takes no events of ${queue}, and ${failingBytes} bytes of such wait for it`, {
        retryAfter: 5,
        limit: 'MAX_LOG_MB',
      })
    }
    if (keys > 0 && answers.count() + keys > maxKeys) {
      throw fault('limited', `${maxKeys} idempotency keys of the last day are remembered, and no more can be`, {
        retryAfter: 60,
        limit: 'MAX_KEYS',
      })
    }
  }

  /** Why no events are taken at the moment. A commit that failed counts for a while only: none may come that would succeed. */
  function trouble(): string | undefined {
    if (bytes + uncommitted >= maxBytes) return `the log is full: ${bytes} bytes wait for ClickHouse (MAX_LOG_MB)`
    try {
      needRoom(path, reservedBytes)
    } catch (error) {
      return `${notWritten}: ${reasonOf(error)}`
    }
    return lost && performance.now() - lost.at_ms < lostFor_ms ? `${notWritten}: ${lost.reason}` : undefined
  }

  function enqueue(append: Append): Promise<number> {
    for (const each of append.lines) uncommitted += each.lines.length
    const { done } = gather(waiting, append)
    committing ??= commitAll()
    return done
  }

  const log = {
    /** Resolves to the position of the lines. */
    async append(queue: string, lines: Buffer, rows: number, keyed: readonly KeyedAnswer[] = []): Promise<number> {
      room(queue, lines.length, keyed.length)
      return enqueue({ lines: [{ queue, lines, rows }], answers: keyed })
    },
    room: (queue: string, bytes: number): void => room(queue, bytes),
    answered: answers.get,
    async close(): Promise<void> {
      await answers.close()
      await rules.close()
      await committing
      clock.close()
      await root.close()
    },
  } satisfies EventLog

  const source: LogSource = {
    queues: () => [...ends.keys()],
    end: (queue) => ends.get(queue) ?? 0,
    *chunks(queue, through = Number.MAX_SAFE_INTEGER): Iterable<Chunk> {
      for (const { key, value } of chunks.getRange(upTo(queue, through))) {
        yield decodeChunk(key, value)
      }
    },
    begun: (queue) => batches.get(queue),
    async begin(queue, batch) {
      needRoom(path, markBytes)
      await committed([batches.put(queue, batch)])
    },
    async finish(queue, batch, doubtSince_us) {
      needRoom(path, markBytes)
      const removed = await root.transaction(() => {
        let length = 0
        for (const key of chunks.getKeys(upTo(queue, batch.last))) {
          length += key[2]
          void chunks.remove(key)
        }
        void batches.remove(queue)
        if (doubtSince_us !== undefined)
          void doubts.put(queue, Math.min(doubtSince_us, doubts.get(queue) ?? doubtSince_us))
        return length
      })
      // Only now: lines were appended during the wait.
      grow(queue, -removed)
      fed = [{ queue, at_ms: performance.now() }, ...fed.filter((each) => each.queue !== queue)].slice(0, 2)
      if (doubtSince_us !== undefined) timesNoted.set(queue, (timesNoted.get(queue) ?? 0) + 1)
    },
    doubts: (): Doubt[] =>
      [...doubts.getRange()].map(({ key, value }) => ({
        queue: key,
        since_us: value,
        noted: timesNoted.get(key) ?? 0,
      })),
    async settle({ queue, noted }) {
      await root.transaction(() => {
        if ((timesNoted.get(queue) ?? 0) === noted) void doubts.remove(queue)
      })
    },
    oldest(queue) {
      const [key] = chunks.getKeys({ ...upTo(queue, Number.MAX_SAFE_INTEGER), limit: 1 })
      return key?.[1]
    },
    fails(queue, isFailing) {
      if (failing.has(queue) === isFailing) return
      failingBytes += (isFailing ? 1 : -1) * (bytesOf.get(queue) ?? 0)
      if (isFailing) failing.add(queue)
      else failing.delete(queue)
    },
    wellBytes: () => bytes - failingBytes,
    async drop(queue) {
      source.fails(queue, false)
      await source.finish(queue, { first: 0, last: Number.MAX_SAFE_INTEGER })
      await answers.drop(queue)
      if (doubts.get(queue) !== undefined) await doubts.remove(queue)
      ends.delete(queue)
      bytesOf.delete(queue)
    },
    bytes: (queue) => (queue === undefined ? bytes : (bytesOf.get(queue) ?? 0)),
    onAppend: (listener) => {
      listeners.push(listener)
    },
  }
  return {
    log,
    /** Takes turns of rules. */
    turns: createTurnLog({ encode: rules.encode, room, enqueue }),
    source,
    clock,
    rules: rules.store,
    recordsOfRules: rules.count,
    trouble,
    shipping: {
      line: spool.line,
      waiting: spool.waiting,
      shipped: spool.shipped,
      reshape: spool.reshape,
      bytes: spool.bytes,
      last: spool.last,
      /** Begins a run of commits without a gap: all that are acknowledged from now on are in it. */
      async begin(): Promise<void> {
        let noted: Promise<unknown> = Promise.resolve()
        await alone(() => {
          noted = spool.begin(clock.last())
        })
        await noted
      },
    },
    /**
     * Commits again what was shipped, as one commit at the position of the last; those of a restore come one after the other,
     * and nothing else is appended meanwhile.
     */
    async replay(position: number, commits: readonly ShippedCommit[]): Promise<void> {
      const whole = newCommit()
      for (const { queues, changes, dropped } of commits) {
        for (const { queue, rows, lines, answers: keyed } of queues)
          fill(whole, { lines: [{ queue, lines, rows }], answers: keyed })
        whole.changes.push(...changes.map(([spaces, bytes]) => rules.decode(spaces, bytes)))
        for (const [space, count] of dropped) whole.dropped.set(space, (whole.dropped.get(space) ?? 0) + count)
      }
      await write(whole, position)
    },
    decodeShipped: (value: Buffer): ShippedCommit => rules.codec.decode(value) as ShippedCommit,
    /** A note that stays with the folder. */
    notes: {
      get: (name: string): string | undefined => notes.get(name),
      put: async (name: string, text: string): Promise<void> => void (await notes.put(name, text)),
    },
    /** Copies the log as it is at one moment between the call and its end; appends go on. */
    copy: (folder: string): Promise<void> => copyLog(root, path, folder),
    /** Sets the batches of this log apart from batches of other processes: positions alone may coincide. */
    id: id.toString(36),
  }
}

/** A name of the machine's current boot: bytes that are not synced end with it, however the process ended. */
function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return `since ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}

export type LmdbLog = ReturnType<typeof createLmdbLog>
