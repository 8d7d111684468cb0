import type { RootDatabase } from 'lmdb'
import { deferred } from '../../../base/deferred.ts'
import { fault } from '../../../base/faults.ts'
import type { RuleUsage } from '../../memory/state.ts'
import { createRuleState, type RuleData } from '../../memory/store.ts'
import type { TurnCommit, TurnLog, TurnPlace } from '../port.ts'
import { type Append, type Commit, committed, gather, newCommit } from '../shared/commit.ts'
import { needRoom } from '../shared/disk-room.ts'
import { cutLines } from './produce/queue.ts'
import { changelogOf } from './rules/changelog.ts'
import type { CheckpointDeps } from './rules/checkpoints.ts'
import { createCheckpoints } from './rules/checkpoints.ts'
import { noteText, type TaskNotes } from './rules/task-notes.ts'
import type { GroupPlace, Output, Transactions } from './transactions.ts'

export type TurnLogDeps = {
  readonly root: RootDatabase
  /** The state of the rules. */
  readonly data: RuleData
  /** The folder of `root`. */
  readonly path: string
  readonly transactions: Pick<Transactions, 'commit'>
  readonly notes: Pick<TaskNotes, 'noteMade'>
  /** Bytes of state that are kept at most. */
  readonly maxBytes: () => number
  /** The part of all that may wait in journals that may wait in this task's. */
  readonly journalShare: () => number
  /** Bytes that the topic of a queue takes as one message, as far as is known. */
  readonly roomOf: (queue: string) => number
  /** The topic of a queue, and the partition of it that is the task's. */
  readonly target: (queue: string) => Promise<{ readonly topic: string; readonly partition: number }>
  readonly memory: { readonly topic: string; readonly partition: number }
  /** The group of the tasks, and the partition whose offset is committed. */
  readonly turns: Omit<GroupPlace, 'offset' | 'note'>
  readonly place: TurnPlace
  /** The last lines of each queue in the task's partition. */
  readonly made: Map<string, readonly [partition: number, offset: number]>
  readonly usage: () => ReadonlyMap<string, RuleUsage>
  readonly changelog: Pick<CheckpointDeps, 'length' | 'truncate' | 'minLength'> & { readonly end: number }
  readonly maxRest_ms?: number
}

/** Room that stays free on the disk: LMDB must not find it full. */
const reservedBytes = 16 * 1024 * 1024
const tellEvery_ms = 3_600_000
/**
 * A transaction costs the broker and ClickHouse about the same whatever it has, so that the one after a large one gathers
 * more: it begins a millisecond later for each row, at most so late.
 */
const usualMaxRest_ms = 40
/** Lines that wait for no others. */
const enoughBytes = 1024 * 1024

const isBehind = (one: TurnPlace, other: TurnPlace): boolean =>
  one.offset < other.offset || (one.offset === other.offset && one.lines < other.lines)

/**
 * Turns in the log of a task: lines, changes of what rules remember, and the place in the partition go to Kafka in one transaction.
 * The first failure is the last thing that happens here: the task begins anew from what was committed.
 */
export function createTurnLog(deps: TurnLogDeps) {
  const {
    root,
    path,
    roomOf,
    transactions,
    notes,
    target,
    memory,
    turns,
    made,
    usage,
    maxRest_ms = usualMaxRest_ms,
  } = deps
  const waiting: Commit[] = []
  const places = new Map<Commit, TurnPlace>()
  let committing: Promise<void> | undefined
  let underWay: Commit | undefined
  /** Everything before is committed, and everything before `taken` has been appended. */
  let place = deps.place
  let taken = deps.place
  let uncommitted = 0
  /** A place that is not told for days is forgotten by the brokers, though it stands in the memory. */
  let told_ms = Number.NEGATIVE_INFINITY
  let { end } = deps.changelog
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

  const checkpoints = createCheckpoints({ root, bytes: rules.store.bytes, ...deps.changelog })

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
        await write(commit)
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

  async function write(commit: Commit): Promise<void> {
    const next = places.get(commit) ?? place
    const plan = rules.plan(commit)
    const isMoved = isBehind(place, next) || performance.now() - told_ms > tellEvery_ms
    if (commit.queues.size === 0 && plan.writes.length === 0 && plan.spaces.size === 0 && !isMoved) {
      rules.kept(plan)
      return
    }
    needRoom(path, reservedBytes + rules.roomFor(plan))
    const part = checkpoints.part()
    const messages = [...(part?.messages ?? []), ...changelogOf(plan, next)]
    const outputs: Output[] = [{ ...memory, values: messages }]
    const queues = new Map<string, { readonly queue: string; readonly partition: number }>()
    for (const [queue, { lines }] of commit.queues) {
      if (lines.length === 0) continue
      const to = await target(queue)
      outputs.push({ ...to, values: joined(lines) })
      queues.set(to.topic, { queue, partition: to.partition })
    }
    const { group, ...ofTurns } = turns
    let first = 0
    // After a failure the memory on this disk is thrown away, so that it need not wait for Kafka.
    await Promise.all([
      transactions.commit(outputs, group, (stored) => {
        const ofMemory = stored.get(memory.topic)
        first = ofMemory?.first ?? 0
        if (first < end) throw new Error(`topic ${memory.topic} was deleted, and another one has its name`)
        end = (ofMemory?.last ?? first) + 1
        for (const [topic, { last }] of stored) {
          const of = queues.get(topic)
          if (!of) continue
          // Queues that were written last stand behind the others.
          made.delete(of.queue)
          made.set(of.queue, [of.partition, last])
        }
        return { ...ofTurns, offset: next.offset, note: noteText(made, usage(), next.lines) }
      }),
      committed(rules.put(plan)),
    ])
    place = next
    told_ms = performance.now()
    for (const { queue, partition } of queues.values()) notes.noteMade(queue, partition, made.get(queue)?.[1] ?? -1)
    checkpoints.committed(
      part,
      first,
      messages.reduce((sum, { length }) => sum + length, 0),
    )
    rules.kept(plan)
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
      if (failure === undefined && performance.now() - told_ms > tellEvery_ms) {
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

/** Messages of a size of which many can be read at once. */
const messageBytes = 450_000

function hasLonger(lines: Buffer, most: number): boolean {
  if (lines.length <= most) return false
  for (const part of cutLines(lines, most)) if (part.length > most) return true
  return false
}

function joined(lines: readonly Buffer[]): Buffer[] {
  const messages: Buffer[] = []
  let [part, bytes]: [Buffer[], number] = [[], 0]
  const end = (): void => {
    if (bytes > 0) messages.push(Buffer.concat(part, bytes))
    ;[part, bytes] = [[], 0]
  }
  for (const each of lines.flatMap((given) => [...cutLines(given, messageBytes)])) {
    if (bytes + each.length > messageBytes) end()
    part.push(each)
    bytes += each.length
  }
  end()
  return messages
}
