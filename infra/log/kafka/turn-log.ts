import { deferred } from '../../../base/deferred.ts'
import { fault } from '../../../base/faults.ts'
import { createRuleState, type RuleData } from '../../memory/store.ts'
import type { TurnCommit, TurnLog, TurnPlace } from '../port.ts'
import { type Append, type Commit, gather, newCommit } from '../shared/commit.ts'
import { cutLines } from './produce/queue.ts'
import { createTurnWriting, isBehind, type TurnWritingDeps } from './turn-writing.ts'

export type TurnLogDeps = Omit<TurnWritingDeps, 'rules'> & {
  /** The state of the rules. */
  readonly data: RuleData
  /** Bytes of state that are kept at most. */
  readonly maxBytes: () => number
  /** The part of all that may wait in journals that may wait in this task's. */
  readonly journalShare: () => number
  /** Bytes that the topic of a queue takes as one message, as far as is known. */
  readonly roomOf: (queue: string) => number
  readonly maxRest_ms?: number
}

/**
 * A transaction costs the broker and ClickHouse about the same whatever it has, so that the one after a large one gathers
 * more: it begins a millisecond later for each row, at most so late.
 */
const usualMaxRest_ms = 40
/** Lines that wait for no others. */
const enoughBytes = 1024 * 1024

/**
 * Turns in the log of a task: lines, changes of what rules remember, and the place in the partition go to Kafka in one transaction.
 * The first failure is the last thing that happens here: the task begins anew from what was committed.
 */
export function createTurnLog(deps: TurnLogDeps) {
  const { roomOf, turns, made, maxRest_ms = usualMaxRest_ms } = deps
  const waiting: Commit[] = []
  const places = new Map<Commit, TurnPlace>()
  let committing: Promise<void> | undefined
  let underWay: Commit | undefined
  /** Everything before has been appended. */
  let taken = deps.place
  let uncommitted = 0
  let failure: unknown
  const failed = deferred<never>()
  const watching = new Set<{ readonly place: TurnPlace; readonly resolve: () => void }>()
  const below: (() => void)[] = []
  let restsUntil_ms = 0
  let wake = (): void => {}
  /** So many callers wait until nothing is under way. */
  let awaited = 0

  const rules = createRuleState({
    data: deps.data,
    maxBytes: deps.maxBytes,
    journalShare: deps.journalShare,
    commit(work) {
      if (failure !== undefined) return Promise.reject(failure)
      const alone = newCommit(work)
      waiting.push(alone)
      committing ??= commitAll()
      return alone.done
    },
  })

  const writing = createTurnWriting({ ...deps, rules })

  async function rest(): Promise<void> {
    const rest_ms = restsUntil_ms - performance.now()
    const isUrgent = awaited > 0 || waiting.length > 1 || uncommitted > enoughBytes || failure !== undefined
    if (rest_ms <= 0 || isUrgent) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, rest_ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function commitAll(): Promise<void> {
    await rest()
    for (let commit = waiting.shift(); commit; commit = waiting.shift()) {
      underWay = commit
      restsUntil_ms = performance.now() + Math.min(maxRest_ms, rowsOf(commit))
      try {
        await writing.write(commit, places.get(commit))
      } catch (error) {
        fail(error)
        return
      }
      underWay = undefined
      places.delete(commit)
      uncommitted -= commit.bytes
      for (const settled of commit.settled) settled(true)
      commit.settle.resolve(0)
      for (const resume of below.splice(0)) resume()
      if (waiting.length > 0) await rest()
    }
    committing = undefined
  }

  function fail(error: unknown): void {
    failure ??= error
    for (const commit of [...(underWay ? [underWay] : []), ...waiting.splice(0)]) {
      for (const settled of commit.settled) settled(false)
      commit.settle.reject(error)
    }
    for (const { resolve } of watching) resolve()
    for (const resume of below.splice(0)) resume()
    wake()
    failed.reject(error)
  }

  function take(at: TurnPlace): void {
    taken = at
    for (const each of watching) {
      if (isBehind(at, each.place)) continue
      watching.delete(each)
      each.resolve()
    }
  }

  /** Throws where the turn is not the next one, or where a topic does not take a row of it. */
  function appendOf({ lines, changes, dropped = [], place, settled }: TurnCommit): readonly [TurnPlace, Append] {
    const at = place ?? taken
    const isInTurn = place ? !isBehind(place, taken) : lines.every(({ rows }) => rows === 0)
    if (failure !== undefined || !isInTurn) throw failure ?? new Error(`a turn of ${turns.topic} out of its order`)
    const tooLong = lines.find((each) => hasLonger(each.lines, roomOf(each.queue)))
    if (tooLong) {
      const { queue: of } = tooLong
      throw fault('too large', `a row for ${of} is too large for its topic, which takes ${roomOf(of)} bytes`)
    }
    return [at, { lines, answers: [], rules: { changes: rules.encode(changes), dropped, settled } }]
  }

  const log: TurnLog = {
    async commit(turn) {
      let [at, append]: readonly [TurnPlace, Append | undefined] = [taken, undefined]
      try {
        ;[at, append] = appendOf(turn)
      } catch (error) {
        turn.settled?.(false)
        throw error
      }
      for (const each of append.lines) uncommitted += each.lines.length
      const commit = gather(waiting, append)
      places.set(commit, at)
      take(at)
      committing ??= commitAll()
      if (uncommitted > enoughBytes || waiting.length > 1) wake()
      return commit.done
    },
    hurry() {
      if (waiting.length > 0) restsUntil_ms = 0
      wake()
    },
  }

  return {
    log,
    store: rules.store,
    /** Rejects with the first failure. */
    failed: failed.promise,
    hasFailed: (): boolean => failure !== undefined,
    taken: (): TurnPlace => taken,
    made: (): ReadonlyMap<string, readonly [partition: number, offset: number]> => made,
    pass(at: TurnPlace): void {
      if (failure !== undefined || !isBehind(taken, at)) return
      const last = waiting.at(-1)
      const commit = last && last.work === undefined ? last : newCommit()
      if (commit !== last) waiting.push(commit)
      places.set(commit, at)
      take(at)
      committing ??= commitAll()
    },
    reached: (at: TurnPlace): Promise<void> =>
      new Promise((resolve) => {
        if (failure !== undefined || !isBehind(taken, at)) resolve()
        else watching.add({ place: at, resolve })
      }),
    /** Resolves once no more than so many bytes of lines wait, or at the end. */
    async roomFor(bytes: number): Promise<void> {
      while (uncommitted > bytes && failure === undefined) await new Promise<void>((resolve) => below.push(resolve))
    },
    /** Resolves once all that was appended is committed, or at the end. */
    async idle(): Promise<void> {
      if (failure === undefined && writing.isStale()) {
        waiting.push(newCommit())
        committing ??= commitAll()
      }
      awaited++
      wake()
      await committing
      awaited--
    },
    async close(): Promise<void> {
      fail(fault('unavailable', 'the task of rules is closed', { retryAfter: 1 }))
      await committing
      await rules.close()
    },
  }
}

function rowsOf({ queues }: Commit): number {
  let sum = 0
  for (const { rows } of queues.values()) sum += rows
  return sum
}

export type KafkaTurnLog = ReturnType<typeof createTurnLog>

function hasLonger(lines: Buffer, most: number): boolean {
  if (lines.length <= most) return false
  for (const part of cutLines(lines, most)) if (part.length > most) return true
  return false
}
