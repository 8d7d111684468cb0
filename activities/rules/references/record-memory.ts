import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { compileLastInsert, type LastInsert } from '../../../sql/table/find-records.ts'
import type { Table } from '../../../sql/table/table.ts'

/** The records of which an answer is: those of one key, or where that is undefined all of the table. */
export type AnswerOf = { readonly storage: string; readonly key: string | undefined }

type Answer = AnswerOf & { readonly values: unknown; readonly moment: number; readonly bytes: number }
/** By question, and by the key of what was asked. */
type Answers = Map<object, Map<string, Answer>>

/** The moment since which records have stayed as they are: infinite while they are written, or where ClickHouse does not tell. */
type Since = {
  /** All of the table. */
  any: number
  /** The records of a key, unless `of` has a later moment for it. */
  all: number
  readonly of: Map<string, number>
  /** Of the newest insert that this process has seen, where others insert as well. */
  lastInsert?: string
}

export type RecordMemoryDeps = {
  /** Other processes write to the tables, too. */
  readonly isShared: boolean
  readonly maxAnswers?: number
  readonly maxBytes?: number
}

/** Keys of a table whose writes are told apart. */
const maxKeys = 10_000
/** An answer's entries in maps, beside its texts. */
const answerBytes = 200

/**
 * Answers about records of tables, remembered from turn to turn until a record that they are of is written. This process
 * reports its own writes. Where others write too, a turn first looks whether the table has had an insert.
 */
export function createRecordMemory({ isShared, maxAnswers = 100_000, maxBytes = 64 * 1024 * 1024 }: RecordMemoryDeps) {
  /** Grows with each end of a write. */
  let moment = 0
  const tables = new Map<string, Since>()
  /** Answers are asked for again and again, or go: those of `before` go once `latest` is half of what there may be. */
  let [latest, before]: [Answers, Answers] = [new Map(), new Map()]
  let room = { answers: maxAnswers / 2, bytes: maxBytes / 2 }

  function sinceOf(storage: string): Since {
    const known = tables.get(storage)
    if (known) return known
    const since: Since = { any: ++moment, all: moment, of: new Map() }
    tables.set(storage, since)
    return since
  }

  function isCurrent({ storage, key, moment: asked }: Answer): boolean {
    const since = tables.get(storage)
    if (!since) return false
    return asked >= (key === undefined ? since.any : Math.max(since.all, since.of.get(key) ?? 0))
  }

  function put(question: object, key: string, answer: Answer): void {
    const of = latest.get(question) ?? new Map<string, Answer>()
    latest.set(question, of.set(key, answer))
    room = { answers: room.answers - 1, bytes: room.bytes - answer.bytes }
    if (room.answers > 0 && room.bytes > 0) return
    before = latest
    latest = new Map()
    room = { answers: maxAnswers / 2, bytes: maxBytes / 2 }
  }

  return {
    isShared,

    /** The answer, where no record that it is of has been written since. */
    recall(question: object, key: string, storage: string): unknown {
      const known = latest.get(question)?.get(key)
      const answer = known ?? before.get(question)?.get(key)
      if (answer?.storage !== storage || !isCurrent(answer)) return undefined
      if (!known) put(question, key, answer)
      return answer.values
    },

    /** Notes the moment of a question that is now asked of ClickHouse: its answers are remembered by the returned function. */
    asked(question: object, storage: string) {
      sinceOf(storage)
      const asked = moment
      return (key: string, of: string | undefined, values: unknown): void => {
        const bytes = answerBytes + 2 * key.length + bytesOf(values)
        const answer: Answer = { storage, key: of, values, moment: asked, bytes }
        if (isCurrent(answer)) put(question, key, answer)
      }
    },

    /** Looks whether a table has had inserts of whichever process since the last look. */
    async look(clickhouse: Pick<ClickHouse, 'rows'>, table: Table): Promise<void> {
      const [found] = await clickhouse.rows<LastInsert>(compileLastInsert(table))
      const since = sinceOf(table.storage)
      const last = found?.last ?? ''
      if (last !== '' && last === since.lastInsert) return
      since.lastInsert = last
      since.any = last === '' ? Number.POSITIVE_INFINITY : ++moment
      since.all = since.any
    },

    /**
     * This process begins to write records of a table, of the given keys or of any; the returned function is called once the
     * write is over, before it is answered.
     */
    writing(storage: string, keys?: readonly string[]): () => void {
      if (isShared) return () => {}
      const since = sinceOf(storage)
      const some = keys && since.of.size + keys.length <= maxKeys ? keys : undefined
      const mark = (at: number): void => {
        since.any = at
        for (const key of some ?? []) since.of.set(key, at)
        if (some) return
        since.all = at
        since.of.clear()
      }
      mark(Number.POSITIVE_INFINITY)
      return () => mark(++moment)
    },

    /** A table is not there any more, or not for this process. */
    forget: (storage: string): unknown => tables.delete(storage),
  }
}

export type RecordMemory = ReturnType<typeof createRecordMemory>

/** About so many bytes of memory. */
function bytesOf(values: unknown): number {
  if (typeof values === 'string') return 2 * values.length
  if (typeof values !== 'object' || values === null) return 16
  let sum = 0
  for (const [name, value] of Object.entries(values)) sum += 32 + 2 * name.length + bytesOf(value)
  return sum
}
