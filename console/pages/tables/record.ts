import { parseJson, printJson } from '../../api/json.ts'

/** The name of a table among all databases. */
export type TableKey = { readonly database: string; readonly table: string }

/** A row of a table, as it is shown. */
export type TableRecord = {
  readonly key: string
  /** The members of a document; undefined for a plain value. */
  readonly members: Readonly<Record<string, unknown>> | undefined
  /** The document or value as it is edited. */
  readonly text: string
}

/** `v` of a wide table is a document with `_pk` and `_v` as text, of others a value. */
export function recordOf({ k, v }: { readonly k?: unknown; readonly v?: unknown }): TableRecord {
  const key = String(k)
  const value = typeof v === 'string' ? parsed(v) : v
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { key, members: undefined, text: typeof v === 'string' ? v : printJson(v) }
  const members = Object.fromEntries(Object.entries(value).filter(([name]) => name !== '_pk' && name !== '_v'))
  return { key, members, text: printJson(members, 2) }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** The members that most records have, in the order in which they first come. */
export function columnsOf(records: readonly TableRecord[], max: number): string[] {
  const counts = new Map<string, number>()
  for (const { members } of records) {
    for (const name of Object.keys(members ?? {})) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const names = [...counts.keys()]
  if (names.length <= max) return names
  const kept = new Set([...names].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, max))
  return names.filter((name) => kept.has(name))
}

const longest = 80

/** A value within a cell. */
export function cellText(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : printJson(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

export type Written = { readonly value: unknown } | { readonly fault: string }

/** Reads the text that a reader has typed as a record: JSON, or in a table of plain values any text. */
export function readWritten(text: string, isDocument: boolean): Written {
  try {
    const value = parseJson(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isDocument && !isObject ? { fault: 'a document is a JSON object: {"name": "value"}' } : { value }
  } catch (error) {
    return isDocument ? { fault: error instanceof Error ? error.message : String(error) } : { value: text }
  }
}
