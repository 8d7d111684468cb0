import { fault } from './faults.ts'

type Settle<Outcome> = { resolve(outcome: Outcome): void; reject(error: unknown): void }
type Waiting<Operation, Outcome> = Settle<Outcome> & { readonly operation: Operation }
/** Work that must have the table for itself. */
type Alone = { readonly work: () => Promise<void> }

export type GroupCommitDeps<Operation, Outcome> = {
  /** Does all operations or none; the outcomes in their order. */
  readonly commit: (operations: readonly Operation[]) => Promise<readonly Outcome[]>
  readonly sizeOf: (operation: Operation) => number
  /** Bounds of one commit; one operation alone may exceed the second. */
  readonly maxOperations: number
  readonly maxBytes: number
}

/** How long a commit waits for more operations: a share of the last commit's time, and a bound. */
const patience = 0.5
const maxPatience_ms = 5

/** Operations that come while a commit is under way gather, and the next commit takes them all; none overtakes another. */
export function createGroupCommit<Operation, Outcome>(deps: GroupCommitDeps<Operation, Outcome>) {
  let line: (Waiting<Operation, Outcome> | Alone)[] = []
  let running: Promise<void> | undefined
  /** The commit, or the work that is alone, that has begun. */
  let begun: Promise<void> | undefined
  let last = { operations: 1, took_ms: 0 }
  let closed = false

  async function run(): Promise<void> {
    while (line.length > 0) {
      await gather()
      const batch = takeBatch()
      const [first] = line
      if (batch.length > 0) begun = commit(batch)
      else if (first && 'work' in first) {
        line.shift()
        begun = first.work()
      }
      await begun
      begun = undefined
    }
    running = undefined
  }

  /**
   * Callers that were answered together often ask again together: waits until as many are there as last time, for a
   * fraction of a commit's time.
   */
  async function gather(): Promise<void> {
    const end = performance.now() + Math.min(maxPatience_ms, last.took_ms * patience)
    while (line.length < last.operations && performance.now() < end) {
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  function takeBatch(): Waiting<Operation, Outcome>[] {
    const batch: Waiting<Operation, Outcome>[] = []
    let bytes = 0
    for (const next of line) {
      if ('work' in next || batch.length === deps.maxOperations) break
      bytes += deps.sizeOf(next.operation)
      if (batch.length > 0 && bytes > deps.maxBytes) break
      batch.push(next)
    }
    line = line.slice(batch.length)
    return batch
  }

  async function commit(batch: readonly Waiting<Operation, Outcome>[]): Promise<void> {
    const started = performance.now()
    try {
      const outcomes = await deps.commit(batch.map(({ operation }) => operation))
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i]
        if (outcome === undefined) reject(new Error('a commit gave too few outcomes'))
        else resolve(outcome)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      last = { operations: batch.length, took_ms: performance.now() - started }
    }
  }

  function add(item: Waiting<Operation, Outcome> | Alone): void {
    line.push(item)
    running ??= run()
  }

  const refuseWhenClosed = (): void => {
    if (closed) throw fault('missing', 'the table is being dropped, or the service stops')
  }

  return {
    async write(operation: Operation): Promise<Outcome> {
      refuseWhenClosed()
      return new Promise<Outcome>((resolve, reject) => add({ operation, resolve, reject }))
    },
    /** Runs `work` after all operations that came before it and before all that come after it. */
    async alone<Result>(work: () => Promise<Result>): Promise<Result> {
      refuseWhenClosed()
      return new Promise<Result>((resolve, reject) => add({ work: () => work().then(resolve, reject) }))
    },
    /** Resolves once the commit that has begun is over; operations that wait in line may still be to do. */
    async passed(): Promise<void> {
      await begun
    },
    /** Takes nothing more, and resolves when all that was taken is done. */
    async close(): Promise<void> {
      closed = true
      await running
    },
  }
}
