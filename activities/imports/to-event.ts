import { isoMicroseconds } from '../../base/instant.ts'
import { type Event, isObject, type Json, member, parseJson, parseShallowJson, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { valueAt } from '../../sql/hook/path.ts'
import type { FileImport } from '../../sql/import/definition.ts'
import { senderTime } from '../events/sender-time.ts'
import type { FileRow } from './file-rows.ts'
import type { Asked } from './record.ts'

export type ReadableRow = Exclude<FileRow, { readonly reason: string }>

/** The line of NDJSON that a row becomes; a `Refusal` says why it becomes none. It hears of each place where the row has a value. */
export type ToEvent = (row: ReadableRow, sees?: (place: string) => void) => string

/** The columns, or paths, that an import names. */
export const placesOf = ({ map = {}, time }: Pick<FileImport, 'map' | 'time'>): string[] => [
  ...new Set([...Object.values(map), ...(time === undefined ? [] : [time])]),
]

type Value = Json | undefined

/** A row as its definition looks into it. */
type Looked = {
  /** The value of a column, or at a path. */
  readonly at: (place: string) => Value
  readonly all: () => Iterable<readonly [name: string, value: Value]>
  /** The value as the attribute has it. */
  readonly as: (value: Value, attribute: string) => Value
}

/** Makes events of rows, by the definition of their import and the types of their stream's attributes. */
export function createToEvent({ map, time }: FileImport, types: Asked['types']): ToEvent {
  const places = map && Object.entries(map)

  const ofObject = (object: Event): Looked => ({
    at: (place) => (Object.hasOwn(object, place) ? object[place] : valueAt(object, place.split('.'))),
    all: () => Object.entries(object),
    as: (value) => value,
  })

  const ofCells = (cells: ReadonlyMap<string, string>): Looked => ({
    at(name) {
      const cell = cells.get(name)
      if (cell === undefined) throw new Refusal(`there is no column ${JSON.stringify(name)} in the header`)
      return cell
    },
    all: () => cells,
    as: (cell, attribute) => (typeof cell === 'string' ? typed(cell, member(types, attribute)) : cell),
  })

  function write({ at: look, all, as }: Looked, sees: (place: string) => void): string {
    const event: Event = {}
    const at = (place: string): Value => {
      const value = look(place)
      if (value !== undefined) sees(place)
      return value
    }
    const members = places ? places.map(([attribute, place]) => [attribute, at(place)] as const) : all()
    for (const [attribute, value] of members) {
      const own = as(value, attribute)
      if (own !== undefined) event[attribute] = own
    }
    if (time !== undefined) {
      const own = senderTime(at(time))
      if (own === undefined) delete event._pk
      else event._pk = own
    }
    return writeJson(event)
  }

  return (row, sees = () => {}) => {
    if ('cells' in row) return write(ofCells(row.cells), sees)
    if ('value' in row) return write(ofObject(row.value), sees)
    if (!places && time === undefined) return row.text
    const object = parseShallowJson(row.text, 'the row')
    if (!isObject(object)) throw new Refusal('the row is no JSON object')
    return write(ofObject(object), sees)
  }
}

/** Also as programs write it whose integers with gaps are floating point: with zeros behind the point. */
const integer = /^([+-]?\d{1,20})(?:\.0+)?$/
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/

/** A cell as its attribute's type has it; what is none stays text, which the stream refuses with the reason. */
function typed(cell: string, type: Asked['types'][string] | undefined): Json | undefined {
  if (cell === '') return undefined
  const text = cell.trim()
  switch (type) {
    case 'LONG': {
      const whole = integer.exec(text)?.[1]
      if (whole === undefined) return isoMicroseconds(text) ?? cell
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : BigInt(whole)
    }
    case 'DOUBLE':
      return number.test(text) && Number.isFinite(Number(text)) ? Number(text) : cell
    case 'BOOL':
      return booleans.get(text.toLowerCase()) ?? cell
    case 'OBJECT':
      return /^[[{]/.test(text) ? parseJson(text, 'the cell') : cell
    default:
      return cell
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])
