import { deferred } from '../../../base/deferred.ts'
import type { Changes, Plan } from '../../memory/store.ts'
import type { KeyedAnswer, QueueLines } from '../port.ts'

/** Max size of a queue's chunk, unless a single append is larger: a feeder takes the first chunk whole. */
const maxChunkBytes = 8 * 1024 * 1024
const maxChunkRows = 100_000
/** Answers put in one turn, two records each: some 10 ms of it. */
const maxAnswers = 2_000
/** Changes of rules' state put in one turn, up to two records each. */
const maxChanges = 4_000

/** Lines of a queue that wait for a commit. */
export type Gathering = {
  readonly lines: Buffer[]
  bytes: number
  rows: number
  readonly answers: KeyedAnswer[]
}

export type Commit = {
  readonly queues: Map<string, Gathering>
  /** Length of all lines. */
  bytes: number
  answers: number
  /** Changes of rules' state, by append. */
  readonly changes: Changes[]
  /** How many there are. */
  changed: number
  readonly dropped: Map<string, number>
  /** Whether an append in it was made on the state of rules that the appends before have left. */
  isOfRules: boolean
  readonly settled: ((isCommitted: boolean) => void)[]
  /** Work on the state of rules that has the commit for itself. */
  readonly work: ((plan: Plan) => void) | undefined
  readonly done: Promise<number>
  settle: Settle
}
type Settle = { resolve(position: number): void; reject(error: unknown): void }

/** An append: lines of its queue with the answers to their keys, and all that is committed with them. */
export type Append = {
  /** The answers are to keys of the first queue. */
  readonly lines: readonly QueueLines[]
  readonly answers: readonly KeyedAnswer[]
  readonly rules?: {
    readonly changes: Changes
    readonly dropped: readonly { readonly space: string; readonly count: number }[]
    readonly settled: ((isCommitted: boolean) => void) | undefined
  }
}

export function newCommit(work?: (plan: Plan) => void): Commit {
  const { promise: done, ...settle } = deferred<number>()
  return {
    queues: new Map(),
    bytes: 0,
    answers: 0,
    changes: [],
    changed: 0,
    dropped: new Map(),
    isOfRules: false,
    settled: [],
    work,
    done,
    settle,
  }
}

/** Adds an append to the last of the commits that wait, or to one more where it is full. Returns its commit. */
export function gather(commits: Commit[], append: Append): Commit {
  let commit = commits.at(-1)
  if (!commit || isFull(commit, append)) {
    commit = newCommit()
    commits.push(commit)
  }
  fill(commit, append)
  return commit
}

/** Adds an append to a commit, however full that is. */
export function fill(commit: Commit, append: Append): void {
  for (const [place, { queue, lines, rows }] of append.lines.entries()) {
    // A queue with answers alone has its part, too.
    if (rows === 0 && (place > 0 || append.answers.length === 0)) continue
    const part = partOf(commit, queue)
    part.lines.push(lines)
    part.bytes += lines.length
    part.rows += rows
    if (place === 0) for (const each of append.answers) part.answers.push(each)
    commit.bytes += lines.length
  }
  commit.answers += append.answers.length
  if (append.rules) gatherRules(commit, append.rules)
}

function isFull(commit: Commit, { lines, answers, rules }: Append): boolean {
  const hasFullChunk = lines.some(({ queue, lines, rows }) => {
    const before = commit.queues.get(queue)
    return before && (before.bytes + lines.length > maxChunkBytes || before.rows + rows > maxChunkRows)
  })
  return (
    commit.work !== undefined ||
    hasFullChunk ||
    (commit.answers > 0 && commit.answers + answers.length > maxAnswers) ||
    (commit.changed > 0 && commit.changed + (rules?.changes.changes.length ?? 0) > maxChanges)
  )
}

function partOf(commit: Commit, queue: string): Gathering {
  const known = commit.queues.get(queue)
  if (known) return known
  const part: Gathering = { lines: [], bytes: 0, rows: 0, answers: [] }
  commit.queues.set(queue, part)
  return part
}

function gatherRules(commit: Commit, { changes, dropped, settled }: NonNullable<Append['rules']>): void {
  commit.isOfRules = true
  const { length } = changes.changes
  commit.changed += length
  if (length > 0) commit.changes.push(changes)
  for (const { space, count } of dropped) commit.dropped.set(space, (commit.dropped.get(space) ?? 0) + count)
  if (settled) commit.settled.push(settled)
}

/** Resolves once the writes are committed: writes of one turn are committed together or not at all. */
export async function committed(writes: Iterable<Promise<boolean>>): Promise<void> {
  try {
    await Promise.all(writes)
  } catch (error) {
    if (hasCommitError(error)) error.commitError.catch(() => {})
    throw error
  }
}

const hasCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  typeof error === 'object' && error !== null && 'commitError' in error && error.commitError instanceof Promise

/** The keys of a queue's chunks up to a position. */
export const upTo = (
  queue: string,
  position: number,
): { start: [string, number, number]; end: [string, number, number] } => ({
  start: [queue, 0, 0],
  end: [queue, position, Number.MAX_SAFE_INTEGER],
})
