/** Answers of the service, kept up to date for as long as a component shows them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal, Unreachable } from './client.ts'
import { awaySince, returns } from './connection.ts'
import { signIns } from './session.ts'

export type Answer<Value> = {
  /** The latest good answer; it stays while the service is asked again, and while it is away. */
  readonly value: Value | undefined
  readonly refusal: Refusal | undefined
  readonly isAsking: boolean
  again(): void
}

/**
 * Asks when the component comes, when one of `inputs` changes, after a sign-in, once a service that was away is back, and every
 * `every_ms` while the page is seen. `ask` gets a signal that is aborted when its answer is no longer wanted.
 */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  { every_ms }: { readonly every_ms?: number } = {},
): Answer<Value> {
  const [state, setState] = useState<Omit<Answer<Value>, 'again'>>({
    value: undefined,
    refusal: undefined,
    isAsking: true,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  const asked = JSON.stringify(inputs)
  const before = useRef(asked)

  useEffect(() => {
    const gone = new AbortController()
    const isOther = before.current !== asked
    before.current = asked
    let timer: ReturnType<typeof setTimeout> | undefined

    async function askOnce(): Promise<void> {
      try {
        const value = await latest.current(gone.signal)
        if (gone.signal.aborted) return
        setState({ value, refusal: undefined, isAsking: false })
      } catch (error) {
        if (gone.signal.aborted) return
        if (error instanceof Refusal) setState({ value: undefined, refusal: error, isAsking: false })
        else if (!(error instanceof Unreachable)) throw error
      }
      if (every_ms !== undefined) timer = setTimeout(askWhenSeen, every_ms)
    }

    function askWhenSeen(): void {
      if (awaySince.value !== undefined) return // `returns` asks
      if (document.visibilityState === 'hidden')
        document.addEventListener('visibilitychange', askWhenSeen, { once: true, signal: gone.signal })
      else void askOnce()
    }

    setState(({ value }) => ({ value: isOther ? undefined : value, refusal: undefined, isAsking: true }))
    void askOnce()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [asked, turn, returns.value, signIns.value, every_ms])

  return { ...state, again: () => setTurn((count) => count + 1) }
}
