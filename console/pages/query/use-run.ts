/** Runs the statement of the page, and ends it when the page is left. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal, Unreachable } from '../../api/client.ts'
import { isThere } from '../../api/connection.ts'
import { parseJson } from '../../api/json.ts'
import { follow, refusalIn } from '../../api/live.ts'
import { createRowTable, noRows, type Rows } from '../../parts/result/rows.ts'
import { askSql, askSqlText } from './ask-sql.ts'
import { answerOf, askWeir, type Continuation, type WeirAnswer } from './ask-weir.ts'
import { namesFormat } from './sql-rows.ts'
import { formOf, isSelect, objectsOf } from './weir-rows.ts'

export type Statement = {
  readonly language: 'weir' | 'sql'
  readonly text: string
  readonly database: string
}

export type Shown = {
  readonly statement: Statement
  readonly rows: Rows
  /** A count, or what an insert, update or delete did. */
  readonly retval?: number | undefined
  /** An answer in a format of the statement's own. */
  readonly text?: string
  readonly notes: readonly string[]
  /** Rows remain: of Weir's language by this continuation. */
  readonly next?: Continuation | undefined
  readonly isCut: boolean
  readonly took_ms: number
  readonly at: Date
}

export type RunState = {
  readonly shown: Shown | undefined
  readonly refusal: Refusal | undefined
  readonly state: 'idle' | 'running' | 'live' | 'lost'
  /** The time at which the run began. */
  readonly since_ms: number
}

/** So many rows are held at a time; a file has them all. */
export const maxRows = 100_000

const unanswered = new Refusal(
  0,
  ['Weir did not answer. The statement may have been done or not: look before you run it again.'],
  undefined,
)

const idle: RunState = { shown: undefined, refusal: undefined, state: 'idle', since_ms: 0 }

export function useRun() {
  const [run, setRun] = useState<RunState>(idle)
  const current = useRef<AbortController>(undefined)
  const table = useRef(createRowTable())

  // Leaving the page ends the query: the service notices that its client has gone.
  useEffect(() => () => current.current?.abort(), [])

  function begin(state: RunState['state'], keeps: boolean): AbortSignal {
    current.current?.abort()
    current.current = new AbortController()
    setRun(({ shown }) => ({
      shown: keeps ? shown : undefined,
      refusal: undefined,
      state,
      since_ms: performance.now(),
    }))
    return current.current.signal
  }

  /** A question that meets no service is asked again once there is one; what changes something is not. */
  async function guarded(signal: AbortSignal, work: () => Promise<void>, isQuestion: boolean): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal) setRun((before) => ({ ...before, refusal: error, state: 'idle' }))
      else if (!(error instanceof Unreachable)) throw error
      else if (isQuestion) {
        await isThere(signal)
        if (!signal.aborted) await guarded(signal, work, isQuestion)
      } else setRun((before) => ({ ...before, refusal: unanswered, state: 'idle' }))
    }
  }

  function showPage(statement: Statement, answer: WeirAnswer, since_ms: number, state: RunState['state']): void {
    const { page, retval, notes, next } = answer
    if (page) table.current.add(objectsOf(formOf(statement.text), page.rows))
    const rows = page ? table.current.now() : noRows
    setRun({
      shown: {
        ...{ statement, rows, retval, notes, next },
        isCut: next !== undefined,
        took_ms: performance.now() - since_ms,
        at: new Date(),
      },
      refusal: undefined,
      state,
      since_ms,
    })
  }

  async function ask(statement: Statement): Promise<void> {
    const signal = begin('running', run.shown?.statement.text === statement.text)
    const since_ms = performance.now()
    table.current = createRowTable()
    await guarded(
      signal,
      async () => {
        if (statement.language === 'sql') return askRows(statement, signal, since_ms)
        const answer = await askWeir(statement, undefined, signal)
        if (!signal.aborted) showPage(statement, answer, since_ms, 'idle')
      },
      statement.language === 'sql' || isSelect(statement.text),
    )
  }

  async function askRows(statement: Statement, signal: AbortSignal, since_ms: number): Promise<void> {
    const show = (more: Partial<Shown>, state: RunState['state']) =>
      setRun({
        shown: {
          ...{ statement, rows: table.current.now(), notes: [], isCut: false, at: new Date() },
          took_ms: performance.now() - since_ms,
          ...more,
        },
        refusal: undefined,
        state,
        since_ms,
      })
    if (namesFormat(statement.text)) return show({ text: await askSqlText(statement.text, signal) }, 'idle')
    let drawn_ms = 0
    const isWhole = await askSql(
      statement.text,
      {
        columns: (columns) => {
          table.current = createRowTable(columns)
        },
        rows: (rows) => {
          const left = maxRows - table.current.size()
          table.current.addCells(rows.slice(0, left))
          if (performance.now() - drawn_ms > 200) {
            drawn_ms = performance.now()
            if (!signal.aborted) show({}, 'running')
          }
          return rows.length <= left
        },
      },
      signal,
    )
    if (!signal.aborted) show({ isCut: !isWhole }, 'idle')
  }

  /** Goes on where the answer ended: by a page, or as far as the page holds rows. */
  async function more(isAll: boolean): Promise<void> {
    const { shown } = run
    if (!shown?.next) return
    const signal = begin('running', true)
    const since_ms = performance.now()
    let next: Continuation | undefined = shown.next
    await guarded(
      signal,
      async () => {
        do {
          const answer: WeirAnswer = await askWeir(shown.statement, next, signal)
          if (signal.aborted) return
          next = answer.next
          const goesOn = isAll && next !== undefined && table.current.size() < maxRows
          showPage(shown.statement, answer, since_ms, goesOn ? 'running' : 'idle')
          if (!goesOn) return
        } while (next)
      },
      true,
    )
  }

  /** The answer again and again, whenever it has changed. */
  async function goLive(statement: Statement): Promise<void> {
    const signal = begin('live', true)
    await follow(
      'POST /db/{database}/query',
      { path: { database: statement.database }, body: { sql: statement.text }, signal },
      {
        events(events) {
          const refused = events.find(({ event }) => event === 'error')
          const latest = events.findLast(({ event }) => event === 'answer')
          if (latest) {
            table.current = createRowTable()
            const answer = parseJson(latest.data) as Parameters<typeof answerOf>[0] // as the call answers
            showPage(statement, answerOf(answer), performance.now(), 'live')
          }
          if (refused) stopWith(refusalIn(refused.data))
        },
        state: (state) => setRun((before) => ({ ...before, state: state === 'open' ? 'live' : 'lost' })),
        refused: stopWith,
      },
    )
  }

  function stopWith(refusal: Refusal): void {
    current.current?.abort()
    setRun((before) => ({ ...before, refusal, state: 'idle' }))
  }

  function cancel(): void {
    current.current?.abort()
    setRun((before) => ({ ...before, state: 'idle' }))
  }

  return { run, ask, more, goLive, cancel }
}
