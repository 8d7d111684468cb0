import { call } from '../../api/client.ts'
import type { Row } from './statistic-query.ts'

/** The place behind a page of rows, which the client sends back for the next one. */
export type Cursor = Readonly<Record<string, unknown>>

type Page = { readonly rows: readonly Row[]; readonly next?: Cursor }

const cursorMembers = ['levk', 'sec_buf', 'rev_buf', 'switch_done']

/** A page of the rows of a query; `next` is there where rows remain. */
export async function askRows(sql: string, from?: Cursor, signal?: AbortSignal): Promise<Page> {
  const answer = await call('POST /db/{database}/query', {
    path: { database: 'mydb' },
    body: { sql, ...from },
    ...(signal && { signal }),
  })
  if (typeof answer !== 'object' || answer === null || !('rows' in answer)) return { rows: [] }
  const all: Readonly<Record<string, unknown>> = answer
  const next = Object.fromEntries(cursorMembers.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
  return { rows: answer.rows as readonly Row[], ...(all.more_data_to_come === 1 && { next }) }
}

/** All rows of a query, up to `max`; `isWhole` tells whether that is all of them. */
export async function askAllRows(sql: string, max: number, signal?: AbortSignal) {
  const rows: Row[] = []
  let cursor: Cursor | undefined
  do {
    const page = await askRows(sql, cursor, signal)
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor !== undefined && rows.length < max)
  return { rows, isWhole: cursor === undefined }
}
