/** Asks a graph, and ends the query when the page is left. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { GraphAnswer } from '../../api/calls.ts'
import { Refusal, Unreachable } from '../../api/client.ts'
import { askGraph } from './ask-graph.ts'
import { continued } from './continued.ts'

export type GraphShown = {
  readonly graph: string
  readonly text: string
  readonly answer: GraphAnswer
  readonly took_ms: number
}

export type GraphRun = {
  readonly shown: GraphShown | undefined
  readonly refusal: Refusal | undefined
  readonly isRunning: boolean
  readonly since_ms: number
}

const idle: GraphRun = { shown: undefined, refusal: undefined, isRunning: false, since_ms: 0 }

export function useGraphRun() {
  const [run, setRun] = useState<GraphRun>(idle)
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  async function ask(graph: string, text: string, before?: GraphShown): Promise<void> {
    current.current?.abort()
    const gone = new AbortController()
    current.current = gone
    const since_ms = performance.now()
    setRun({ shown: before, refusal: undefined, isRunning: true, since_ms })
    try {
      const levk = before && '_levk' in before.answer ? before.answer._levk : undefined
      const answer = await askGraph({ graph, text, levk, signal: gone.signal })
      const whole = before ? continued(before.answer, answer) : answer
      const shown = { graph, text, answer: whole, took_ms: performance.now() - since_ms }
      if (!gone.signal.aborted) setRun({ shown, refusal: undefined, isRunning: false, since_ms })
    } catch (error) {
      if (gone.signal.aborted) return
      if (error instanceof Refusal) setRun({ shown: undefined, refusal: error, isRunning: false, since_ms })
      else if (error instanceof Unreachable) setRun({ ...idle, shown: before })
      else throw error
    }
  }

  function cancel(): void {
    current.current?.abort()
    setRun((before) => ({ ...before, isRunning: false }))
  }

  return { run, ask, cancel }
}
