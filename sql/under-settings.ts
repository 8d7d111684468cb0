import { literal } from './literal.ts'

/** `INSERT INTO table (columns)`, of which the query behind it may have settings of its own. */
const insertion = /^INSERT INTO (?:`[^`]+`|[\w.])+ \([^()]*\)/

export const assignments = (settings: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(settings).map(([name, value]) =>
    typeof value === 'number' ? `${name} = ${value}` : `${name} = ${literal(value, 'String')}`,
  )

/** A SELECT, or an INSERT of one, under these settings beside those in its text. */
export function underSettings(text: string, settings: Readonly<Record<string, string | number>>): string {
  const clause = `SETTINGS ${assignments(settings).join(', ')}`
  const head = insertion.exec(text)?.[0]
  return head === undefined ? `${text}\n${clause}` : `${head} ${clause}${text.slice(head.length)}`
}
