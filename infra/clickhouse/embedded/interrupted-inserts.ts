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

function isThere(part: string, names: readonly string[]): boolean {
  const [partition, first] = partOf(part)
  return names.some((name) => {
    const [of, from, to] = partOf(name)
    return of === partition && from <= first && first <= to
  })
}

/** A part's name: partition, first and last block, level, and perhaps a mutation. */
function partOf(name: string): [partition: string, from: number, to: number] {
  const [, partition = '', from, to] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? []
  return [partition, Number(from), Number(to)]
}

const numberOf = (name: string): number => Number(/_(\d+)\.txt$/.exec(name)?.[1] ?? 0)

const tablesIn = (store: string): string[] =>
  namesIn(store).flatMap((begin) => namesIn(join(store, begin)).map((name) => join(store, begin, name)))

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])
