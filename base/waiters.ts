import { realTime, type Time } from './time.ts'

type Waiter<Target> = { readonly target: Target; resolve(): void; reject(error: unknown): void }

/** Callers that wait until something has reached a target. */
export function createWaiters<Target>({ after }: Pick<Time, 'after'> = realTime) {
  const waiting = new Set<Waiter<Target>>()
  return {
    count: (): number => waiting.size,
    /** Resolves once the target is reached; rejects by `late()` after `timeout_ms`. */
    wait: (target: Target, timeout_ms: number, late: () => unknown): Promise<void> =>
      new Promise((resolve, reject) => {
        const settle = (end: () => void): void => {
          timer.stop()
          waiting.delete(waiter)
          end()
        }
        const waiter: Waiter<Target> = {
          target,
          resolve: () => settle(resolve),
          reject: (error) => settle(() => reject(error)),
        }
        const timer = after(timeout_ms, () => waiter.reject(late()))
        waiting.add(waiter)
      }),
    settle(isReached: (target: Target) => boolean): void {
      for (const waiter of waiting) if (isReached(waiter.target)) waiter.resolve()
    },
    reject(error: unknown): void {
      for (const waiter of waiting) waiter.reject(error)
    },
  }
}

export type Waiters<Target> = ReturnType<typeof createWaiters<Target>>
