import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Table } from '../../../sql/table/table.ts'
import type { Scalar } from '../../events/values.ts'

/** The parts of the service that answer questions. */
export type Ask = {
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** Resolves once all that was appended before is in ClickHouse. */
  readonly caughtUp: () => Promise<void>
  /** A table as it is now, with its indexes. */
  readonly tableOf: (database: string, table: string) => Table | undefined
}

/** A question that is asked of ClickHouse for many events at once. */
export type Question<Answer> = {
  /** Whether the answer has to see every event before. */
  readonly isOfEvents: boolean
  /** The max things that one statement asks for. */
  readonly atOnce: number
  /** An answer for each in their order. */
  ask(on: Ask, asked: readonly (readonly Scalar[])[]): Promise<readonly Answer[]>
}

type Asked = { readonly answers: Map<string, unknown>; readonly lacking: Map<string, readonly Scalar[]> }

/**
 * Answers of ClickHouse for one turn. A question that has no answer yet is noted, and the event goes on as if nothing were
 * there; the turn is then taken again with the answers.
 */
export function createOutside(ask: Ask) {
  const questions = new Map<Question<unknown>, Asked>()

  return {
    /** The answer of that key; undefined where it is not known yet. `values` are asked for then. */
    answer<Answer>(question: Question<Answer>, key: string, values: readonly Scalar[]): Answer | undefined {
      let asked = questions.get(question)
      if (!asked) {
        asked = { answers: new Map(), lacking: new Map() }
        questions.set(question, asked)
      }
      const answer = asked.answers.get(key) as Answer | undefined
      if (answer === undefined) asked.lacking.set(key, values)
      return answer
    },

    /** The answer of that key, if it is known. */
    known: <Answer>(question: Question<Answer>, key: string): Answer | undefined =>
      questions.get(question)?.answers.get(key) as Answer | undefined,

    /** Whether an event went on without an answer. */
    lacks(): boolean {
      for (const { lacking } of questions.values()) if (lacking.size > 0) return true
      return false
    },

    /** Asks for all answers that were lacking. Nothing is appended meanwhile. */
    async fetch(): Promise<void> {
      for (const [question, { answers, lacking }] of questions) {
        if (lacking.size === 0) continue
        if (question.isOfEvents) await ask.caughtUp()
        const all = [...lacking]
        for (let from = 0; from < all.length; from += question.atOnce) {
          const chunk = all.slice(from, from + question.atOnce)
          const found = await question.ask(
            ask,
            chunk.map(([, values]) => values),
          )
          for (const [index, [key]] of chunk.entries()) {
            const answer = found[index]
            if (answer === undefined) throw new Error('a question has fewer answers than it asked for')
            answers.set(key, answer)
          }
        }
        lacking.clear()
      }
    },
  }
}

export type Outside = ReturnType<typeof createOutside>
