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

const between = /[\s,;]*/y
const pair = /([^\s:",;][^\s:"]*):(?:"((?:[^"]|"")*)"(?=[\s,;]|$)|([^\s"][^\s]*)?)/y
const separated = /[,;]\s*([^\s:",;]+):/y

/** The pair that stands next, behind what separates it from the one before: `pair.lastIndex` is its end. */
function nextPair(text: string, from: number): RegExpExecArray | null {
  between.lastIndex = from
  between.test(text)
  pair.lastIndex = between.lastIndex
  return pair.exec(text)
}

/** The names in a line, as far as it can be read. */
export function namesInKv(text: string): readonly string[] {
  const names: string[] = []
  for (let found = nextPair(text, 0); found !== null; found = nextPair(text, pair.lastIndex)) names.push(found[1] ?? '')
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
    const end = text.trimEnd().length
    for (let at = 0; at < end; at = pair.lastIndex) {
      const found = nextPair(text, at)
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
