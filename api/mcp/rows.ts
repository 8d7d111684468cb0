/** Rows of queries for agents: as many as an answer may have, as plain objects. */
import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxRows, roomFor, sizeOf } from './bounds.ts'
import type { Inner } from './inner.ts'
import { isFine, type Told, whole } from './tool.ts'

/** A path with its names encoded. */
export const at = (strings: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: strings }, ...names.map(encodeURIComponent))

export const limitOf = whole('of rows: 100 and 20 KB if absent; with it 256 KB', maxRows)

/** The arguments of a tool that lists or describes. */
export const itemsOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...shape, limit: whole('of items: 20 KB of them if absent; with it 256 KB', maxRows) })

/** The rows of an answer. */
export function rowsIn({ text }: Pick<Told, 'text'>): readonly { readonly [name: string]: Json }[] {
  const told = parseJson(text, 'the answer')
  const rows = isObject(told) ? told.rows : undefined
  return Array.isArray(rows) ? rows.filter(isObject) : []
}

type Asked = {
  readonly sql: string
  readonly database: string
  readonly cursor?: string
  /** Of rows; a statement's own counts where there is no other. */
  readonly limit?: number | undefined
}

/** Asks for as many rows as an answer may have, and for fewer where these are too long, so that no row is left out between two pages. */
export async function askRows(inner: Inner, { sql, database, cursor, limit: max }: Asked): Promise<Told> {
  const text = sql.trim()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  const isOne = /^select\s+(count\s*\(|usage\b)/i.test(statement)
  const [limit, given] = /\slimit\s+(\d+)$/i.exec(statement) ?? []
  const unbounded = limit === undefined ? statement : statement.slice(0, -limit.length)
  const own = given === undefined ? undefined : Math.min(Number(given), maxRows)
  const room = roomFor(max ?? own)
  let rows = Math.min(own ?? maxRows, room.rows)
  for (;;) {
    const body = writeJson({
      ...(cursor && { cursor }),
      rows: 'objects',
      sql: isOne ? statement : `${unbounded} limit ${rows}`,
    })
    const answer = await inner({ method: 'POST', path: at`/db/${database}/query`, body })
    const size = sizeOf(answer.text)
    if (isFine(answer) && size > room.bytes && rows > 1 && !isOne) {
      rows = Math.max(1, Math.floor((rows * room.bytes * 0.8) / size))
      continue
    }
    if (!isFine(answer)) return { ...answer, text: answer.text.replace(ofAnalysts, '; the tool sql has it') }
    const told = parseJson(answer.text, 'the answer')
    if (!isObject(told)) return answer
    const { cursor: next, ...kept } = told
    const shown = { ...answer, room, text: writeJson(kept) }
    if (typeof next !== 'string') return shown
    return { ...shown, more: `rows remain: call again with the same sql and with cursor ${next}` }
  }
}

/** The end of a refusal that sends to a port, which an agent does not reach. */
const ofAnalysts = /; analysts' SQL(?: on port \d+)? has it: docs\/analysts\.md/

type AskedSql = {
  readonly sql: string
  readonly database?: string | undefined
  readonly params?: { readonly [name: string]: Json } | undefined
  readonly limit?: number | undefined
}

/** Asks in analysts' SQL. The rows of a statement that names a format stay in it. */
export async function askSql(inner: Inner, { limit, ...given }: AskedSql): Promise<Told> {
  const room = roomFor(limit)
  const ask = (max_result_rows: number) => {
    const settings = { max_result_rows, result_overflow_mode: 'break' }
    return inner({
      method: 'POST',
      path: '/sql',
      body: writeJson(withoutAbsent({ ...given, format: 'JSONCompact', settings })),
    })
  }
  // One more row than an agent gets tells that rows were left out.
  const answer = await ask(room.rows + 1)
  if (!isFine(answer)) return answer
  const plain = plainOf(answer.text, room.rows)
  if (plain) return { ...answer, text: plain, room, whenCut: (kept = 0) => goOnBehind(kept, limit) }
  // The rows of other formats are not counted here.
  const shown = await ask(room.rows)
  return {
    ...shown,
    room,
    ...(shown.text !== answer.text && { more: `rows remain: ${goOnBehind(room.rows, limit)}` }),
  }
}

const withoutAbsent = (value: { readonly [name: string]: Json | undefined }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, each]])))

const goOnBehind = (kept: number, limit: number | undefined): string => {
  const more = limit === undefined ? `set limit, to at most ${maxRows}, ` : ''
  return `${more}ask for fewer rows or columns, or go on with ORDER BY ... LIMIT ${limit ?? maxRows} OFFSET ${kept}`
}

/** An answer with its rows as objects, which are counted where they are not more than `max`; undefined where the statement names another format. */
function plainOf(text: string, max: number): string | undefined {
  const value = valueOf(text)
  if (!isObject(value) || !Array.isArray(value.data) || !Array.isArray(value.meta)) return undefined
  const names = value.meta.map((column) => (isObject(column) ? String(column.name) : ''))
  if (!value.data.every((row) => Array.isArray(row))) return undefined
  const rows = value.data.flatMap((row): Json[] =>
    Array.isArray(row) ? [Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]))] : [],
  )
  return writeJson({ rows, ...(rows.length <= max && { num_items: rows.length }) })
}

function valueOf(text: string): Json | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return parseJson(text, 'the answer')
  } catch {
    return undefined // Lines of JSON.
  }
}
