import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../../../base/faults.ts'
import { isRunning } from '../../processes/is-running.ts'
import { runName } from '../../processes/run-name.ts'
import type { KeyedAnswer, RequestPart } from '../port.ts'
import { createAnswers } from '../shared/answers.ts'
import { needRoom } from '../shared/disk-room.ts'
import { countOf } from '../shared/tree-statistics.ts'
import type { Offsets } from './topics.ts'

/** Room that new answers leave on the disk. */
const reservedBytes = 64 * 1024 * 1024
/** An answer is kept for this time. */
const lifetime_us = 24 * 3_600 * 1_000_000
const sweepEvery_ms = 3_600_000

/**
 * The state of each line without a key of its own in a request of several parts, in their order: 0 is stored, -1 is not
 * stored, a greater value is the `_seq` under which the line may be on its way.
 */
export type Progress = Float64Array

/** A key whose event may be on its way: which process sent it, and where the topic ended before, by partition. */
type Claim = {
  readonly answer: string
  readonly seq: number
  readonly progress?: Buffer
  /** Some of its lines are stored and no others are on their way: a repeat brings the missing ones. */
  readonly isPartial?: boolean
  readonly request?: RequestPart
  readonly ends: readonly (readonly [partition: number, end: number])[]
  readonly pid: number
  readonly host: string
  /**
   * Sets the process apart from another one that had or has its number; undefined where the system shows no start of a
   * process.
   */
  readonly started?: string | undefined
  /** Sets openers of the folder within one process apart. */
  readonly opener?: string
}

export type KeptAnswersOptions = {
  /** A time that is known to have been. */
  readonly known_us?: number | undefined
  /** Keys that are kept and claimed at most; past it those with a key are refused. */
  readonly maxKeys?: number | undefined
  readonly wall_us?: (() => number) | undefined
}

/** A claim that a process left when it died. */
export type LeftClaim = KeyedAnswer & { readonly from: Offsets; readonly progress?: Progress }

/**
 * Answers by idempotency key in a file of their own, which processes on one host may share. A key is claimed before its
 * event is sent, so that a process killed before it could keep the answer leaves a note of it.
 */
export function createKeptAnswers(
  path: string,
  { known_us = 0, maxKeys = Infinity, wall_us }: KeptAnswersOptions = {},
) {
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, 'answers.mdb'), maxDbs: 16, overlappingSync: false })
  const answers = createAnswers(root, { known_us, ...(wall_us && { wall_us }) })
  const claims: Database<Claim, [string, string]> = root.openDB({ name: 'claims' })

  /** To the queue's own end: no key is the greatest. */
  function claimsOf(queue: string): { key: [string, string]; value: Claim }[] {
    const found: { key: [string, string]; value: Claim }[] = []
    for (const each of claims.getRange({ start: [queue, ''] })) {
      if (each.key[0] !== queue) break
      found.push(each)
    }
    return found
  }

  const mine = { pid: process.pid, host: hostname(), started: runName(process.pid), opener: randomUUID() }

  /** Whether the claimant has ended: its number belongs to no process, or to another one by now. */
  function isLeft({ pid, host, started, opener }: Claim): boolean {
    if (host !== mine.host) return true
    if (pid === mine.pid) return opener !== mine.opener
    return !isRunning(pid) || started !== runName(pid)
  }

  /** Forgets claims as old as answers that are forgotten: repeats that never came, of streams that are gone. */
  async function sweep(): Promise<void> {
    const end = Date.now() * 1000 - lifetime_us
    const old = [...claims.getRange({})].filter(({ value }) => value.seq < end)
    await Promise.all(old.map(({ key }) => claims.remove(key)))
  }
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEvery_ms)
  sweeping.unref()

  const notKept = (cause: unknown) =>
    fault('limited', 'the answer could not be kept, the disk may be full', { retryAfter: 5, cause })

  return {
    get: answers.get,
    async drop(queue: string): Promise<void> {
      await Promise.all(claimsOf(queue).map(({ key }) => claims.remove(key)))
      await answers.drop(queue)
    },
    /** Throws a fault `limited` where the answers of these keys have no room. */
    check(keys = 1): void {
      if (answers.count() + countOf(claims) + keys > maxKeys) {
        throw fault('limited', `${maxKeys} idempotency keys of the last day are remembered, and no more can be`, {
          retryAfter: 60,
          limit: 'MAX_KEYS',
        })
      }
      try {
        needRoom(path, reservedBytes)
      } catch (cause) {
        throw notKept(cause)
      }
    },
    /** Whether another process has claimed the key: a living one, or one that ended and `left` the claim. */
    claimedElsewhere(queue: string, key: string): 'living' | 'left' | undefined {
      if (!claims.doesExist([queue, key])) return undefined
      const claim = claims.get([queue, key])
      if (claim === undefined || claim.isPartial || claim.opener === mine.opener) return undefined
      return isLeft(claim) ? 'left' : 'living'
    },
    /**
     * Resolves once it is on disk that events with these keys may be sent, with the `progress` of the one that is of the
     * whole request; a fault `limited` where it cannot be.
     */
    async claim(queue: string, keyed: readonly KeyedAnswer[], ends: Offsets, progress?: Progress): Promise<void> {
      const puts = keyed.map(({ key, answer, seq, request }) => {
        const lines = request && progress ? { progress: bytesOf(progress) } : {}
        return claims.put([queue, key], {
          answer,
          seq,
          ends: [...ends],
          ...(request && { request }),
          ...lines,
          ...mine,
        })
      })
      await Promise.all(puts).catch((cause: unknown) => {
        throw notKept(cause)
      })
    },
    /** Keeps the progress of a claim none of whose lines is on its way. */
    async keepPartial(queue: string, { key, answer, seq, request }: KeyedAnswer, progress: Progress): Promise<void> {
      await claims.put([queue, key], {
        answer,
        seq,
        ...(request && { request }),
        progress: bytesOf(progress),
        isPartial: true,
        ends: [],
        ...mine,
      })
    },
    /** How far the first request with this key has come, where it is half done and nothing of it is on its way. */
    partial(queue: string, key: string): { readonly progress: Progress; readonly isMore: boolean } | undefined {
      const { progress, request } = claims.get([queue, key]) ?? {}
      return progress && { progress: progressOf(progress), isMore: request?.isMore ?? false }
    },
    /** Gives claims up: their events were not sent. */
    async release(queue: string, keyed: readonly KeyedAnswer[]): Promise<void> {
      await Promise.all(keyed.map(({ key }) => claims.remove([queue, key])))
    },
    /** Claims of processes that have ended, neither kept nor released. */
    left: (queue: string): LeftClaim[] =>
      claimsOf(queue)
        .filter(({ value }) => !value.isPartial && isLeft(value))
        .map(({ key: [, key], value: { answer, seq, ends, progress, request } }) => {
          const lines = progress ? { progress: progressOf(progress) } : {}
          return { key, answer, seq, from: new Map(ends), ...(request && { request }), ...lines }
        }),
    /** Resolves once they are on disk. */
    put: async (queue: string, keyed: readonly KeyedAnswer[]): Promise<void> => {
      await Promise.all([
        ...answers.put(queue, keyed, Date.now() * 1000),
        ...keyed.map(({ key }) => claims.remove([queue, key])),
      ])
    },
    async close(): Promise<void> {
      clearInterval(sweeping)
      await answers.close()
      await root.close()
    },
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Progress): Buffer => Buffer.from(buffer, byteOffset, byteLength)

const progressOf = (bytes: Buffer): Progress =>
  Float64Array.from({ length: bytes.length / Float64Array.BYTES_PER_ELEMENT }, (_, i) => bytes.readDoubleLE(8 * i))

export type KeptAnswers = ReturnType<typeof createKeptAnswers>
