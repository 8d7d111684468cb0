import type { KeyedAnswer } from '../port.ts'

/** Lines of a queue that wait for the next commit. */
export type Gathering = { readonly lines: Buffer[]; rows: number; readonly answers: KeyedAnswer[] }
export type Commit = { readonly queues: Map<string, Gathering>; readonly done: Promise<number>; settle: Settle }
type Settle = { resolve(position: number): void; reject(error: unknown): void }

export function newCommit(): Commit {
  let settle: Settle = { resolve() {}, reject() {} }
  const done = new Promise<number>((resolve, reject) => {
    settle = { resolve, reject }
  })
  done.catch(() => {})
  return { queues: new Map(), done, settle }
}

/** What is put in one turn is committed together or not at all. */
export async function committed(writes: readonly Promise<boolean>[]): Promise<void> {
  try {
    await Promise.all(writes)
  } catch (error) {
    if (hasCommitError(error)) error.commitError.catch(() => {})
    throw error
  }
}

const hasCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  typeof error === 'object' && error !== null && 'commitError' in error && error.commitError instanceof Promise
