import type { Layout } from '../layout.ts'
import { lacking, requireNames } from './columns.ts'
import type { Emit, Format, Reader, ReadOptions } from './format.ts'
import { cutLines } from './lines.ts'
import type { Cell, ReadRow } from './row.ts'
import { byPosition } from './write.ts'

/**
 * Lines of `name:value` with blanks between, or a comma or semicolon where the name of an attribute follows. A value that
 * holds one of these, or quotes, stands in double quotes, doubled inside.
 */
export const kv: Format = {
  name: 'KV',
  createReader: createKvReader,
  write: (row, layout) =>
    byPosition(row, layout)
      .flatMap(({ name, cell }) => (cell === undefined ? [] : [`${name}:${quotedIfNeeded(String(cell))}`]))
      .join(' '),
}

const pair = /[\s,;]*([^\s:"]+):(?:"((?:[^"]|"")*)"(?=[\s,;]|$)|([^\s"][^\s]*)?)/y
const separated = /[,;]\s*([^\s:",;]+):/y

/** The names in a line, as far as it can be read. */
export function namesInKv(text: string): readonly string[] {
  const names: string[] = []
  pair.lastIndex = 0
  for (let found = pair.exec(text); found !== null; found = pair.exec(text)) names.push(found[1] ?? '')
  return names
}

function createKvReader(layout: Layout, options: ReadOptions, emit: Emit): Reader {
  requireNames(layout, options, 'KV')
  const { columns, target } = layout
  const names = new Set([...columns, ...(target ? [target] : [])].map(({ name }) => name))

  /** Where a value ends that reaches from `start` to the next blank, at `end`. */
  const endOf = (text: string, start: number, end: number): number => {
    for (let at = start; at < end; at++) {
      if (text[at] !== ',' && text[at] !== ';') continue
      separated.lastIndex = at
      if (names.has(separated.exec(text)?.[1] ?? '')) return at
    }
    return end
  }

  const rowOf = (text: string, line: number): ReadRow => {
    const values = new Map<string, Cell>()
    pair.lastIndex = 0
    for (let at = 0; text.slice(at).trim() !== ''; at = pair.lastIndex) {
      const found = pair.exec(text)
      if (found === null) {
        return { line, column: at + 1 + (text.slice(at).search(/\S/) || 0), reason: 'no name:value stands here' }
      }
      const [, name = '', quoted, reached = ''] = found
      const start = pair.lastIndex - reached.length
      if (quoted === undefined) pair.lastIndex = endOf(text, start, pair.lastIndex)
      if (values.has(name)) return { line, attribute: name, reason: 'the row names it twice' }
      values.set(
        name,
        (quoted === undefined ? text.slice(start, pair.lastIndex) : quoted.replaceAll('""', '"')) || undefined,
      )
    }
    const reason = lacking((name) => values.has(name), layout, options)
    if (reason !== undefined) return { line, reason }
    return {
      line,
      cells: columns.map(({ name }) => values.get(name)),
      target: target !== undefined && options.target ? values.get(target.name) : undefined,
    }
  }
  const take = (text: string, line: number): void => {
    if (text.trim() !== '') emit(rowOf(text, line))
  }
  return cutLines(emit, take, options.blanks)
}

const quotedIfNeeded = (value: string): string =>
  /[\s",;]/.test(value) || value === '' ? `"${value.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : value
