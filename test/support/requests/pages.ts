import type { Client, Row } from './client.ts'

export type PageAnswer = {
  readonly rows: readonly Row[]
  readonly num_items: number
  readonly more_data_to_come: 0 | 1
  readonly switch_done: 0 | 1
  readonly levk?: unknown
  readonly sec_buf?: string
  readonly rev_buf?: string
}

/** The pages of a query to its end: each one asked for with what the answer before it said, as a client does. */
export async function* pagesOf(client: Client, sql: string): AsyncGenerator<PageAnswer & { readonly bytes: number }> {
  let more: Record<string, unknown> = {}
  for (;;) {
    const answer = await client.query(sql, more)
    const page: PageAnswer = await client.ok(Promise.resolve(answer))
    yield { ...page, bytes: Buffer.byteLength(answer.text) }
    if (page.more_data_to_come !== 1) return
    if (page.levk === undefined) throw new Error('rows remain and no levk says where to go on')
    const { levk, sec_buf, rev_buf, switch_done } = page
    more = { levk, sec_buf, rev_buf, switch_done }
  }
}

export async function allRows(client: Client, sql: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pagesOf(client, sql)) {
    if (page.rows.length !== page.num_items) throw new Error(`${page.num_items} items, ${page.rows.length} rows`)
    rows.push(...page.rows)
  }
  return rows
}
