import { fault } from '../../../base/faults.ts'
import type { Plan } from '../../memory/store.ts'
import { reasonOf } from '../../unfinished.ts'
import { type Append, type Commit, gather, newCommit } from '../shared/commit.ts'

export type CommittingDeps = {
  /** Brings a commit to the disk; resolves to the position of its lines. */
  readonly write: (commit: Commit) => Promise<number>
  readonly onCommitted: (commit: Commit) => void
}

export const notWritten = 'the log could not be written, its disk may be full'
const lostFor_ms = 10_000

/** Brings appends to the disk, one commit after the other: lines that arrive while one is under way gather for the next. */
export function createCommitting({ write, onCommitted }: CommittingDeps) {
  /** Commits that wait, in their order. */
  const waiting: Commit[] = []
  /** Length of the lines that are not committed yet. */
  let uncommitted = 0
  let committing: Promise<void> | undefined
  /** The last commit, where it failed. */
  let lost: { readonly at_ms: number; readonly reason: string } | undefined

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
      onCommitted(commit)
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

  return {
    /** Resolves to the position of the append, once its commit is on the disk. */
    enqueue(append: Append): Promise<number> {
      for (const each of append.lines) uncommitted += each.lines.length
      const { done } = gather(waiting, append)
      committing ??= commitAll()
      return done
    },

    /** Does work in a commit of its own. */
    alone(work: (plan: Plan) => void): Promise<number> {
      const commit = newCommit(work)
      waiting.push(commit)
      committing ??= commitAll()
      return commit.done
    },

    uncommitted: (): number => uncommitted,

    /** Why the last commit failed. That counts for a while only: none may come that would succeed. */
    trouble: (): string | undefined =>
      lost && performance.now() - lost.at_ms < lostFor_ms ? `${notWritten}: ${lost.reason}` : undefined,

    /** Resolves once nothing waits. */
    idle: (): Promise<void> | undefined => committing,
  }
}
