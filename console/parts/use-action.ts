import { useState } from 'preact/hooks'
import { Refusal, Unreachable } from '../api/client.ts'

export type Action = {
  readonly refusal: Refusal | undefined
  readonly isRunning: boolean
  /** Resolves to whether the work was done. */
  run(work: () => Promise<void>): Promise<boolean>
  forget(): void
}

/** Something that a reader asks the service to do: one at a time, with the service's own word where it refuses. */
export function useAction(): Action {
  const [refusal, setRefusal] = useState<Refusal>()
  const [isRunning, setRunning] = useState(false)
  async function run(work: () => Promise<void>): Promise<boolean> {
    setRunning(true)
    setRefusal(undefined)
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
      else if (error instanceof Unreachable) setRefusal(new Refusal(0, ['Weir does not answer; try again'], undefined))
      // The reader has closed the browser's own dialog.
      else if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
      return false
    } finally {
      setRunning(false)
    }
  }
  return { refusal, isRunning, run, forget: () => setRefusal(undefined) }
}
