import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Table } from '../../../sql/table/table.ts'
import type { Scalar } from '../../events/values.ts'
import type { RecordMemory } from './record-memory.ts'

/** The parts of the service that answer questions. */
export type Ask = {
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** Resolves once all that was appended before is in ClickHouse. */
  readonly caughtUp: () => Promise<void>
  /** A table as it is now, with its indexes. */
  readonly tableOf: (database: string, table: string) => Table | undefined
  /** Where answers about records are remembered; without it each turn asks anew. */
  readonly records?: RecordMemory
}

/** A question that is asked of ClickHouse for many events at once. */
export type Question<Answer> = {
  /** Whether the answer has to see every event before. */
  readonly isOfEvents: boolean
  /** The max things that one statement asks for. */
  readonly atOnce: number
  /** The records that answer it, where answers may be remembered from turn to turn. */
  readonly records?: {
    readonly table: (on: Ask) => Table | undefined
    /** The key of those that answer for such values; undefined where it may be any. */
    readonly keyOf: (values: readonly Scalar[]) => string | undefined
  }
  /** An answer for each in their order. */
  ask(on: Ask, keys: readonly (readonly Scalar[])[]): Promise<readonly Answer[]>
}

type Memo = { readonly answers: Map<string, unknown>; readonly lacking: Map<string, readonly Scalar[]> }

/**
 * Answers of ClickHouse for one turn. A question that has no answer yet is noted, and the event goes on as if nothing were
 * there; the turn is then taken again with the answers.
 */
export function createOutside(ask: Ask) {
  const { records } = ask
  const questions = new Map<Question<unknown>, Memo>()
  /** Tables, by their storage, of which this turn knows whether others have written to them. */
  const looked = new Set<string>()

  /** The answer that was remembered from a turn before. */
  function recall(question: Question<unknown>, key: string): unknown {
    const table = question.records?.table(ask)
    if (!records || !table || (records.isShared && !looked.has(table.storage))) return undefined
    return records.recall(question, key, table.storage)
  }

  /** Looks whether answers of turns before still hold, once a table. */
  async function look(question: Question<unknown>, { answers, lacking }: Memo): Promise<void> {
    const table = question.records?.table(ask)
    if (!records?.isShared || !table) return
    if (!looked.has(table.storage)) await records.look(ask.clickhouse, table)
    looked.add(table.storage)
    for (const key of lacking.keys()) {
      const answer = recall(question, key)
      if (answer === undefined) continue
      answers.set(key, answer)
      lacking.delete(key)
    }
  }

  async function askFor(question: Question<unknown>, { answers }: Memo, some: readonly [string, readonly Scalar[]][]) {
    const storage = question.records?.table(ask)?.storage
    const remember = storage === undefined ? undefined : records?.asked(question, storage)
    const found = await question.ask(
      ask,
      some.map(([, values]) => values),
    )
    for (const [index, [key, values]] of some.entries()) {
      const answer = found[index]
      if (answer === undefined) throw new Error('a question has fewer answers than it asked for')
      answers.set(key, answer)
      remember?.(key, question.records?.keyOf(values), answer)
    }
  }

  return {
    /** The answer of that key; undefined where it is not known yet. `values` are asked for then. */
    answer<Answer>(question: Question<Answer>, key: string, values: readonly Scalar[]): Answer | undefined {
      let memo = questions.get(question)
      if (!memo) {
        memo = { answers: new Map(), lacking: new Map() }
        questions.set(question, memo)
      }
      const known = memo.answers.get(key)
      const answer = known ?? recall(question, key)
      if (answer === undefined) memo.lacking.set(key, values)
      // The turn may be taken again, and keeps to its answers.
      else if (known === undefined) memo.answers.set(key, answer)
      return answer as Answer | undefined
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
      for (const [question, memo] of questions) {
        const { lacking } = memo
        if (lacking.size === 0) continue
        if (question.isOfEvents) await ask.caughtUp()
        await look(question, memo)
        const all = [...lacking]
        for (let from = 0; from < all.length; from += question.atOnce) {
          await askFor(question, memo, all.slice(from, from + question.atOnce))
        }
        lacking.clear()
      }
    },
  }
}

export type Outside = ReturnType<typeof createOutside>
