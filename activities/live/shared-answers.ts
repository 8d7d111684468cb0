import { Fault } from '../../base/faults.ts'

type Asking = { readonly at_ms: number; readonly answer: Promise<string>; isAnswered: boolean }

/**
 * One answer for all readers that follow the same question with the same rights: a question that is still to be answered, or
 * was asked less than `fresh_ms` ago, serves those whose turn has come since. The answer is forgotten after that time. No
 * reader goes back by it: the latest question was asked after each that a reader has the answer of.
 */
export function createSharedAnswers(fresh_ms: number) {
  const latest = new Map<string, Asking>()

  /** Asks, whatever was asked before: this answer has all that was acknowledged by now. */
  function ask(subject: string, question: () => Promise<string>): Promise<string> {
    const asking: Asking = { at_ms: performance.now(), answer: question(), isAnswered: false }
    latest.set(subject, asking)
    const forget = (): void => {
      if (latest.get(subject) === asking) latest.delete(subject)
    }
    const later = (): void => {
      asking.isAnswered = true
      setTimeout(forget, Math.max(0, asking.at_ms + fresh_ms - performance.now())).unref()
    }
    asking.answer.then(later, later)
    return asking.answer
  }

  /** The answer of a question that is still fresh, or of a new one. */
  async function again(subject: string, question: () => Promise<string>): Promise<string> {
    const known = latest.get(subject)
    if (known === undefined || (known.isAnswered && performance.now() - known.at_ms >= fresh_ms)) {
      return ask(subject, question)
    }
    try {
      return await known.answer
    } catch (error) {
      // The client that asked has gone, and its question with it: the next reader asks for all.
      if (!(error instanceof Fault && error.kind === 'abandoned')) throw error
      if (latest.get(subject) === known) latest.delete(subject)
      return again(subject, question)
    }
  }

  return { ask, again }
}
