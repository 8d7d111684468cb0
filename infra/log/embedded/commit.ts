import { deferred } from '../../../base/deferred.ts'
import type { KeyedAnswer } from '../port.ts'

/** Max size of a queue's chunk, unless a single append is larger: a feeder takes the first chunk whole. */
const maxChunkBytes = 8 * 1024 * 1024
const maxChunkRows = 100_000
/** Answers put in one turn, two records each: some 10 ms of it. */
const maxAnswers = 2_000

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
  readonly done: Promise<number>
  settle: Settle
}
type Settle = { resolve(position: number): void; reject(error: unknown): void }

type Lines = { readonly lines: Buffer; readonly rows: number; readonly answers: readonly KeyedAnswer[] }

function newCommit(): Commit {
  const { promise: done, ...settle } = deferred<number>()
  return { queues: new Map(), bytes: 0, answers: 0, done, settle }
}

/** Adds lines to the last of the commits that wait, or to one more where it is full. Returns theirs. */
export function gather(commits: Commit[], queue: string, { lines, rows, answers }: Lines): Commit {
  let commit = commits.at(-1)
  const before = commit?.queues.get(queue)
  const isFull =
    (before && (before.bytes + lines.length > maxChunkBytes || before.rows + rows > maxChunkRows)) ||
    (commit && commit.answers > 0 && commit.answers + answers.length > maxAnswers)
  if (!commit || isFull) {
    commit = newCommit()
    commits.push(commit)
  }
  const part = commit.queues.get(queue) ?? { lines: [], bytes: 0, rows: 0, answers: [] }
  commit.queues.set(queue, part)
  part.lines.push(lines)
  part.bytes += lines.length
  part.rows += rows
  for (const each of answers) part.answers.push(each)
  commit.bytes += lines.length
  commit.answers += answers.length
  return commit
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

/** A chunk on disk: its number of rows in four bytes, then its lines. */
export const headerBytes = 4

/** The keys of a queue's chunks up to a position. */
export const upTo = (
  queue: string,
  position: number,
): { start: [string, number, number]; end: [string, number, number] } => ({
  start: [queue, 0, 0],
  end: [queue, position, Number.MAX_SAFE_INTEGER],
})

export function encodeChunk(lines: readonly Buffer[], rows: number): Buffer {
  const value = Buffer.allocUnsafe(lines.reduce((sum, { length }) => sum + length, headerBytes))
  value.writeUInt32BE(rows, 0)
  let at = headerBytes
  for (const each of lines) {
    value.set(each, at)
    at += each.length
  }
  return value
}
