import { type Event, type Json, memberAt, writeJson } from '../../../base/json.ts'
import type { Layout } from '../../layout.ts'
import { lacking, requireNames } from '../columns.ts'
import type { Emit, Format, Reader, ReadOptions } from '../format.ts'
import type { Cell, ReadRow } from '../row.ts'
import { byPosition } from '../write.ts'
import { createObjectReader } from './json-values.ts'

/** One object a line, or an array of objects. A first `{"labels": [...]}` is no row. */
export const json: Format = {
  name: 'JSON',
  createReader: createJsonReader,
  write: (row, layout) =>
    writeJson(
      Object.fromEntries(
        byPosition(row, layout).flatMap(({ name, cell }) => (cell === undefined ? [] : [[name, cell]])),
      ),
    ),
}

function createJsonReader(layout: Layout, options: ReadOptions, emit: Emit): Reader {
  const rowOf = createObjectRow(layout, options)
  let first = true
  return createObjectReader(
    (object, line) => {
      const isHead = first && Array.isArray(object.labels) && Object.keys(object).length === 1
      first = false
      if (!isHead) emit(rowOf(object, line))
    },
    emit,
    options.blanks,
  )
}

/** Makes rows of objects that are parsed already, such as events. */
export function createObjectRow(layout: Layout, options: ReadOptions): (object: Event, line: number) => ReadRow {
  requireNames(layout, options, 'JSON')
  const columns = layout.columns.map(({ name }) => ({ name, cellOf: cellReader(name) }))
  const wanted = options.target && layout.target !== undefined ? layout.target.name : undefined
  const targetOf = wanted === undefined ? undefined : cellReader(wanted)
  return (object, line) => {
    const cells: Cell[] = []
    for (const { name, cellOf } of columns) {
      const cell = cellOf(object)
      if (cell === null) return { line, attribute: name, reason: noCell }
      cells.push(cell)
    }
    const reason = lacking((name) => memberOf(object, name) !== undefined, layout, options)
    if (reason !== undefined) return { line, reason }
    const target = targetOf?.(object)
    if (target === null) return { line, attribute: wanted ?? '', reason: noCell }
    return options.keys ? { line, cells, target, ...keyOf(object) } : { line, cells, target }
  }
}

/** The key that a row brings: an event's. */
function keyOf(object: Event): { readonly key?: Cell } {
  const key = plainCell(object._pk) ?? plainCell(object._id) ?? undefined
  return key === undefined ? {} : { key }
}

const noCell = 'an object or an array, in place of a number or a text'

/** Finds a member by its name, or by the path that a dotted name is; null for a value that is no cell. */
function cellReader(name: string): (object: Event) => Cell | null {
  return (object) => plainCell(memberOf(object, name))
}

function memberOf(object: Event, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name]
  return name.includes('.') ? memberAt(object, name.split('.')) : undefined
}

function plainCell(value: Json | undefined): Cell | null {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') return null
  return typeof value === 'number' || typeof value === 'string' ? value : String(value)
}
