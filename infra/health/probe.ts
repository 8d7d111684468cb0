import { setTimeout as sleep } from 'node:timers/promises'

export type ProbeOptions<State> = {
  readonly ask: () => Promise<State>
  /** The state of the part after an error. */
  readonly failed: (reason: string) => State
  readonly patience_ms: number
  /** The state of a part that has not answered after `patience_ms`. */
  readonly late: State
}

/** Asks a part how it does: one question at a time, answered within a bounded time. */
export function createProbe<State>({ ask, failed, patience_ms, late }: ProbeOptions<State>): () => Promise<State> {
  let asking: Promise<State> | undefined
  return () => {
    asking ??= ask()
      .catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        asking = undefined
      })
    return Promise.race([asking, sleep(patience_ms, late, { ref: false })])
  }
}
