import { writeJson } from './json.ts'
import { pause, type Wait } from './requests.ts'

/**
 * The states of a job, each that differs from the one before it, until it has ended; `isOver` throws where the job has failed. The
 * pauses grow up to two seconds.
 */
export function statesOf<State>(ask: () => Promise<State>, isOver: (state: State) => boolean, { signal }: Wait) {
  async function* states(): AsyncGenerator<State> {
    let told = ''
    for (let wait_ms = 100; ; wait_ms = Math.min(2_000, wait_ms * 1.5)) {
      const state = await ask()
      const text = writeJson(state)
      if (text !== told) yield state
      told = text
      if (isOver(state)) return
      await pause(wait_ms, signal)
    }
  }
  return {
    [Symbol.asyncIterator]: states,
    /** Waits for its end; answers its last state. */
    async done(): Promise<State | undefined> {
      let last: State | undefined
      for await (const state of states()) last = state
      return last
    },
  }
}
