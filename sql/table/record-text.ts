import { withKey } from './document.ts'
import type { Table } from './table.ts'

/** A record as it is read: key, order among the records of its key, version, document. */
export type FoundRecord = { readonly k: string; readonly s: string; readonly n: string; readonly d: string }

/** A key as JSON. */
export const keyText = ({ keyKind }: Table, key: string): string =>
  keyKind === 'NORMAL_KEY_LONG' ? key : JSON.stringify(key)

export function recordText(table: Table, { k, n, d }: FoundRecord): string {
  const key = keyText(table, k)
  if (table.kind === 'WIDE') return withKey(d, key, n)
  return `{"_pk":${key},"doc":${table.kind === 'NORMAL' ? JSON.stringify(d) : d},"_v":${n}}`
}
