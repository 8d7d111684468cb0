import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [added, taken] = ['1', '2']

/**
 * ClickHouse notes an insert's token in a table's log of tokens before it gives the part its name: killed in between, it
 * would pass over the repeat of an insert that never was. So where the part of a log's last line is not there, the line
 * is taken back, before ClickHouse opens the folder. What was merged is there under the name of what it was merged into.
 */
export function forgetInterruptedInserts(folder: string): void {
  for (const table of tablesIn(join(folder, 'store'))) forgetInterrupted(table)
}

function forgetInterrupted(table: string): void {
  const logs = join(table, 'deduplication_logs')
  const newest = namesIn(logs).sort((a, b) => numberOf(b) - numberOf(a))
  for (const name of newest) {
    const lines = readFileSync(join(logs, name), 'utf8').split('\n')
    const last = lines.at(-2)
    if (last === undefined) continue // Begun, and nothing is in it yet.
    const [operation, part = '', block = ''] = last.split('\t')
    if (operation === added && !isThere(part, namesIn(table)))
      appendFileSync(join(logs, newest[0] ?? name), `${taken}\t${part}\t${block}\n`)
    return
  }
}

/** A line that cannot be read stays as ClickHouse wrote it. */
function isThere(name: string, names: readonly string[]): boolean {
  const part = partOf(name)
  if (part === undefined) return true
  return names.some((each) => {
    const other = partOf(each)
    return other?.partition === part.partition && other.from <= part.from && part.from <= other.to
  })
}

/** A part's name: partition, first and last block, level, and perhaps a mutation. */
function partOf(name: string): { partition: string; from: number; to: number } | undefined {
  const [, partition, from, to] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? []
  return partition === undefined ? undefined : { partition, from: Number(from), to: Number(to) }
}

const numberOf = (name: string): number => Number(/_(\d+)\.txt$/.exec(name)?.[1] ?? 0)

const tablesIn = (store: string): string[] =>
  namesIn(store).flatMap((begin) => namesIn(join(store, begin)).map((name) => join(store, begin, name)))

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])
