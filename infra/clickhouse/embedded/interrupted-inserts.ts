import { appendFileSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { foldersIn, namesIn } from './folders.ts'

const [added, taken] = ['1', '2']

/**
 * Inserts that were under way may have written as many lines at a log's end: three at a time, a line for each of 32
 * partitions.
 */
const linesLookedAt = 100

/**
 * ClickHouse notes an insert's token in a table's log of tokens before it gives the part its name, and syncs the part
 * but not the log: after a kill or a power cut a token may stand there without its part, and the repeat of an insert
 * that never was would be passed over. So lines whose part is not there are taken back, before ClickHouse opens the
 * folder. A part that was merged counts as there by the name of the part that it was merged into. And a log that a
 * power cut tore within a line is cut behind the line before, since ClickHouse would not open the table.
 */
export function forgetInterruptedInserts(folder: string): void {
  for (const table of foldersIn(join(folder, 'store'))) forgetInterrupted(table)
}

function forgetInterrupted(table: string): void {
  const logs = join(table, 'deduplication_logs')
  const newest = namesIn(logs).sort((a, b) => numberOf(b) - numberOf(a))
  for (const name of newest) {
    const lines = wholeLines(join(logs, name)).slice(-linesLookedAt)
    if (lines.length === 0) continue // Begun, and nothing is in it yet.
    const parts = new Map<string, string>()
    for (const line of lines) {
      const [operation, part = '', block = ''] = line.split('\t')
      if (operation === added) parts.set(block, part)
      else parts.delete(block)
    }
    const there = namesIn(table).flatMap((each) => partOf(each) ?? [])
    const lost = [...parts].filter(([, part]) => !isThere(part, there))
    if (lost.length > 0) {
      const text = lost.map(([block, part]) => `${taken}\t${part}\t${block}\n`).join('')
      appendFileSync(join(logs, newest[0] ?? name), text)
    }
    return
  }
}

/** A file's lines, which then ends with the last of them. */
function wholeLines(path: string): string[] {
  const text = readFileSync(path, 'latin1')
  // Bytes of a file that were never written read as zeros.
  const written = text.indexOf('\0') < 0 ? text : text.slice(0, text.indexOf('\0'))
  const whole = written.slice(0, written.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, whole.length)
  return whole.split('\n').slice(0, -1)
}

/** A line that cannot be read stays as ClickHouse wrote it. */
function isThere(name: string, others: readonly Part[]): boolean {
  const part = partOf(name)
  if (part === undefined) return true
  return others.some(({ partition, from, to }) => partition === part.partition && from <= part.from && part.from <= to)
}

type Part = { readonly partition: string; readonly from: number; readonly to: number }

/** A part's name: partition, first and last block, level, and perhaps a mutation. */
function partOf(name: string): Part | undefined {
  const [, partition, from, to] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? []
  return partition === undefined ? undefined : { partition, from: Number(from), to: Number(to) }
}

const numberOf = (name: string): number => Number(/_(\d+)\.txt$/.exec(name)?.[1] ?? 0)
