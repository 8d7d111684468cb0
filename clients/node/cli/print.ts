import { writeJson } from '../src/json.ts'
import { Exit, exitCodes } from './exit-codes.ts'

export type Form = 'table' | 'json' | 'csv'
type Row = Readonly<Record<string, unknown>>

/** Of so many rows the columns are made, and a table's widths; further rows are as wide as they are. */
const measured = { table: 200, csv: 10_000 } as const
const widest = 60

export const say = (line: string): void => void process.stdout.write(`${line}\n`)
export const tell = (line: string): void => void process.stderr.write(`${line}\n`)

/**
 * Prints rows as they come: a table, an object a line, or CSV with names in its first line. Ends with 1 where a later row has a
 * member for which there is no column.
 */
export async function printRows(rows: AsyncIterable<Row>, form: Form): Promise<number> {
  let count = 0
  const first: Row[] = []
  let columns: Column[] | undefined
  let named: Set<string> | undefined
  const leftOut = new Set<string>()
  try {
    for await (const row of rows) {
      count++
      if (form === 'json') await out(writeJson(row))
      else if (columns === undefined && first.length < measured[form]) first.push(row)
      else {
        columns ??= await begin(first, form)
        named ??= new Set(columns.map(({ name }) => name))
        for (const name of Object.keys(row)) if (!named.has(name)) leftOut.add(name)
        await out(lineOf(row, columns, form))
      }
    }
  } finally {
    // Also where the answer breaks off: the rows that came are shown before the error.
    if (form !== 'json' && columns === undefined) await begin(first, form)
  }
  if (form === 'table') tell(count === 1 ? '1 row' : `${count} rows`)
  if (form !== 'json' && leftOut.size > 0) {
    const names = [...leftOut].map(shown).join(', ')
    throw new Exit(
      exitCodes.failed,
      `left out: ${names}, since none of the first ${first.length} rows has it; --json has all members`,
    )
  }
  return count
}

type Column = { readonly name: string; readonly width: number; readonly isNumber: boolean }

async function begin(first: readonly Row[], form: Form): Promise<Column[]> {
  const names = [...new Set(first.flatMap((row) => Object.keys(row)))]
  const columns = names.map((name): Column => {
    const values = first.map((row) => row[name])
    const widths = values.map((value) => shown(value).length)
    return {
      name,
      width: Math.min(widest, Math.max(name.length, ...widths)),
      isNumber: values.every((value) => value == null || typeof value === 'number' || typeof value === 'bigint'),
    }
  })
  if (columns.length > 0) {
    await out(form === 'csv' ? columns.map(({ name }) => quoted(name)).join(',') : headOf(columns))
    for (const row of first) await out(lineOf(row, columns, form))
  }
  return columns
}

const headOf = (columns: readonly Column[]): string =>
  [
    columns
      .map((column) => padded(column.name, column))
      .join('  ')
      .trimEnd(),
    columns.map(({ width }) => '─'.repeat(width)).join('  '),
  ].join('\n')

const lineOf = (row: Row, columns: readonly Column[], form: Form): string =>
  form === 'csv'
    ? columns.map(({ name }) => (row[name] == null ? '' : quoted(row[name]))).join(',')
    : columns
        .map((column) => padded(shown(row[column.name]), column))
        .join('  ')
        .trimEnd()

function padded(text: string, { width, isNumber }: Column): string {
  const cut = text.length > width && width === widest ? `${text.slice(0, width - 1)}…` : text
  return isNumber ? cut.padStart(width) : cut.padEnd(width)
}

/** A value in a cell, in one line and without signs that move a terminal's cursor. */
function shown(value: unknown): string {
  if (value == null) return ''
  const text = typeof value === 'object' ? writeJson(value) : String(value)
  return text.replace(/\p{Cc}/gu, (sign) => (sign === '\n' ? '⏎' : '�'))
}

/** As RFC 4180 has it: in quotes where it must. */
function quoted(value: unknown): string {
  const text = typeof value === 'object' ? writeJson(value) : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Waits where the reader of the output is slow. */
function out(line: string): Promise<void> | undefined {
  if (process.stdout.write(`${line}\n`)) return undefined
  return new Promise((resolve) => process.stdout.once('drain', resolve))
}

/** Prints one answer: its members one under the other, or as JSON. */
export function printAnswer(answer: unknown, form: Form): void {
  if (form === 'json' || typeof answer !== 'object' || answer === null) {
    say(writeJson(answer))
    return
  }
  const members = Object.entries(answer).filter(([name]) => name !== 'errcode' && name !== 'errorcode')
  const width = Math.max(0, ...members.map(([name]) => name.length))
  for (const [name, value] of members) say(`${name.padEnd(width)}  ${shown(value)}`)
}
