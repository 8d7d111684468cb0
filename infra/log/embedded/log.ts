import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../../../base/faults.ts'
import { createRuleState, openRuleData, readJournal } from '../../memory/store.ts'
import { reasonOf } from '../../unfinished.ts'
import type { Batch, EventLog, KeyedAnswer } from '../port.ts'
import { createAnswers } from '../shared/answers.ts'
import { type Commit, committed, fill, newCommit } from '../shared/commit.ts'
import { needRoom } from '../shared/disk-room.ts'
import { createKeptClock } from '../shared/kept-clock.ts'
import { type ChunkKey, encodeChunk, headerBytes } from './chunk.ts'
import { createCommitting, notWritten } from './committing.ts'
import { clockName, copyLog, fileName } from './copy-log.ts'
import { createLogSource, markBytes } from './log-source.ts'
import { createQueueBytes } from './queue-bytes.ts'
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
  /** The place to which commits are shipped, and how many bytes of them may wait. */
  readonly shipping?: { readonly to: string; readonly maxBytes: number }
}

/** Room that new lines leave on the disk, for ClickHouse and for the log's own marks. */
const reservedBytes = 64 * 1024 * 1024
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
  const notes: Database<string, string> = root.openDB({ name: 'notes' })
  noteBoot({ root, path, notes, batches })

  const id = state.get('id') ?? newId(path, state)
  const bytes = createQueueBytes(maxBytes)
  const ends = new Map<string, number>()
  for (const key of chunks.getKeys()) {
    const [queue, position, length] = key
    ends.set(queue, position)
    bytes.grow(queue, length)
  }
  const listeners: ((queue: string, rows: number) => void)[] = []
  const clock = createKeptClock(join(path, clockName), Math.max(0, ...ends.values()), options.now_us)
  const answers = createAnswers(root, { known_us: clock.last(), ...(options.now_us && { wall_us: options.now_us }) })
  const committing = createCommitting({
    write,
    onCommitted({ queues }) {
      for (const [queue, { rows }] of queues) for (const listener of listeners) listener(queue, rows)
    },
  })

  const { maxRuleBytes = Number.MAX_SAFE_INTEGER } = options
  const ofRules = openRuleData(root)
  readJournal(ofRules)
  const rules = createRuleState({
    data: ofRules,
    maxBytes: () => maxRuleBytes,
    journalShare: () => 1,
    ...(options.maintainRulesEvery_ms !== undefined && { every_ms: options.maintainRulesEvery_ms }),
    commit: committing.alone,
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
      bytes.grow(queue, value.length - headerBytes)
      ends.set(queue, position)
    }
  }

  function room(queue: string, length: number, keys = 0): void {
    bytes.need(queue, length, committing.uncommitted())
    if (keys > 0 && answers.count() + keys > maxKeys) {
      throw fault('limited', `${maxKeys} idempotency keys of the last day are remembered, and no more can be`, {
        retryAfter: 60,
        limit: 'MAX_KEYS',
      })
    }
  }

  /** Why no events are taken at the moment. */
  function trouble(): string | undefined {
    const full = bytes.trouble(committing.uncommitted())
    if (full !== undefined) return full
    try {
      needRoom(path, reservedBytes)
    } catch (error) {
      return `${notWritten}: ${reasonOf(error)}`
    }
    return committing.trouble()
  }

  const log = {
    /** Resolves to the position of the lines. */
    async append(queue: string, lines: Buffer, rows: number, keyed: readonly KeyedAnswer[] = []): Promise<number> {
      room(queue, lines.length, keyed.length)
      return committing.enqueue({ lines: [{ queue, lines, rows }], answers: keyed })
    },
    room: (queue: string, bytes: number): void => room(queue, bytes),
    answered: answers.get,
    async close(): Promise<void> {
      await answers.close()
      await rules.close()
      await committing.idle()
      clock.close()
      await root.close()
    },
  } satisfies EventLog

  const source = createLogSource({ root, path, chunks, batches, answers, bytes, ends, listeners })

  return {
    log,
    /** Takes turns of rules. */
    turns: createTurnLog({ encode: rules.encode, room, enqueue: committing.enqueue }),
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
      isCopied: spool.isCopied,
      noteCopied: spool.noteCopied,
      bytes: spool.bytes,
      last: spool.last,
      /** Begins a run of commits without a gap: all that are acknowledged from now on are in it. */
      async begin(): Promise<void> {
        let noted: Promise<unknown> = Promise.resolve()
        await committing.alone(() => {
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
      await write(oneOf(commits, rules.decode), position)
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

/** The tokens of batches bear the id: without a stored one, a restart would make them those of another log. */
function newId(path: string, state: Database<number, string>): number {
  const made = randomInt(2 ** 47)
  needRoom(path, markBytes)
  state.putSync('id', made)
  return made
}

type BootNotes = {
  readonly root: RootDatabase
  readonly path: string
  readonly notes: Database<string, string>
  readonly batches: Database<Batch, string>
}

/**
 * Marks the batches that were under way when the machine went down: they may have lost a part that is synced, or its
 * token.
 */
function noteBoot({ root, path, notes, batches }: BootNotes): void {
  const now = bootName()
  if (notes.get('boot') === now) return
  needRoom(path, markBytes)
  root.transactionSync(() => {
    for (const { key, value } of [...batches.getRange()]) void batches.put(key, { ...value, isDoubtful: true })
    void notes.put('boot', now)
  })
}

/** One commit with all that shipped ones have. */
function oneOf(commits: readonly ShippedCommit[], decode: LogRules['decode']): Commit {
  const whole = newCommit()
  for (const { queues, changes, dropped } of commits) {
    for (const { queue, rows, lines, answers } of queues) fill(whole, { lines: [{ queue, lines, rows }], answers })
    whole.changes.push(...changes.map(([spaces, bytes]) => decode(spaces, bytes)))
    for (const [space, count] of dropped) whole.dropped.set(space, (whole.dropped.get(space) ?? 0) + count)
  }
  return whole
}

type LogRules = ReturnType<typeof createRuleState>

/** A name of the machine's current boot: bytes that are not synced end with it, however the process ended. */
function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return `since ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}

export type LmdbLog = ReturnType<typeof createLmdbLog>
