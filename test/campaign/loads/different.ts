import { json } from '../../support/requests/client.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows as text, their members in order. */
const textOf = (row: Row): string => {
  const { _v, ...members } = row
  return json(Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** Rows that are missing, and rows too many. */
export function different(from: string, rows: readonly Row[], expected: readonly Row[]): Finding[] {
  const left = new Map<string, number>()
  for (const row of expected) left.set(textOf(row), (left.get(textOf(row)) ?? 0) + 1)
  const findings: Finding[] = []
  const known = new Set(left.keys())
  for (const row of rows) {
    const text = textOf(row)
    const count = left.get(text) ?? 0
    if (count === 0) findings.push((known.has(text) ? doubled : wrong)(`row ${text} of ${from}`))
    else left.set(text, count - 1)
  }
  for (const [text, count] of left) if (count > 0) findings.push(lost(`${count} of row ${text} of ${from}`))
  return findings
}
