import { identifier, qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import { storedAttributes } from '../columns.ts'
import { rejectedTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { attributeComment, commented, deliveryComments, eventComments, rejectedComments } from './comments.ts'
import { lastColumns } from './events.ts'
import { derivedTables } from './schema.ts'

/** A column as it is in ClickHouse; a table's columns stand in their order. */
export type FoundColumn = {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** Rows `FoundColumn`. */
export const compileFoundColumns = ({ name }: Schema): SqlStatement => ({
  text: 'SELECT table, name, type, comment FROM system.columns WHERE database = {database:String} ORDER BY table, position',
  params: { database: name },
})

/**
 * Brings what analysts see of a schema to its present form, whatever version of Weir made it: views with other columns are
 * made anew, tables of events get their comments and have `_v` and `_time` last. A comment that differs says that the
 * definition does, too: one that changes takes another comment. No row is read or written.
 */
export function renew(schema: Schema, columns: readonly FoundColumn[]): string[] {
  const tables = new Map<string, FoundColumn[]>()
  for (const each of columns) tables.set(each.table, [...(tables.get(each.table) ?? []), each])
  return [
    ...schema.streams
      .filter(({ kind }) => kind !== 'entity')
      .flatMap((stream) => [
        ...renewEvents(schema, stream, tables.get(stream.name) ?? []),
        ...renewRejected(schema, stream, tables.get(rejectedTable(stream.name)) ?? []),
      ]),
    ...schema.streams
      .flatMap((stream) => derivedTables(schema, stream))
      .flatMap(({ views }) => views)
      .filter(({ name, columns }) => !isSame(columns, tables.get(name) ?? []))
      .map(({ statement }) => statement),
  ]
}

type Shown = Pick<FoundColumn, 'name' | 'type' | 'comment'>

const isSame = (wanted: readonly Shown[], found: readonly Shown[]): boolean =>
  wanted.length === found.length &&
  wanted.every(({ name, type, comment }, i) => {
    const other = found[i]
    return other?.name === name && other.type === type && other.comment === comment
  })

/** The changes that give columns their comments. */
const recomment = (found: readonly FoundColumn[], comments: Readonly<Record<string, string>>): string[] =>
  found.flatMap(({ name, comment }) => {
    const wanted = Object.hasOwn(comments, name) ? comments[name] : undefined
    return wanted === undefined || wanted === comment ? [] : [`MODIFY COLUMN ${identifier(name)} ${commented(wanted)}`]
  })

const alter = (database: string, table: string, changes: readonly string[]): string[] =>
  changes.length === 0 ? [] : [`ALTER TABLE ${qualified(database, table)} ${changes.join(', ')}`]

function renewEvents({ name: database }: Schema, stream: Stream, found: readonly FoundColumn[]): string[] {
  const { _v, _time, ...stored } = eventComments
  const attributes = storedAttributes(stream).map((each) => [each.name, attributeComment(stream, each)] as const)
  const last = new Set(lastColumns.map(([name]) => name))
  const before = found.filter(({ name }) => !last.has(name)).at(-1)
  if (before === undefined) return []
  const ends = found.slice(-last.size)
  const comments: Readonly<Record<string, string>> = { _v, _time }
  const isLast = lastColumns.every(([name], i) => ends[i]?.name === name && ends[i]?.comment === comments[name])
  const moves = lastColumns.map(
    ([, definition], i) => `MODIFY COLUMN ${definition} AFTER ${identifier(lastColumns[i - 1]?.[0] ?? before.name)}`,
  )
  return alter(database, stream.name, [
    ...recomment(found, { ...stored, ...deliveryComments, ...Object.fromEntries(attributes) }),
    ...(isLast ? [] : moves),
  ])
}

const renewRejected = ({ name }: Schema, stream: Stream, found: readonly FoundColumn[]): string[] =>
  alter(name, rejectedTable(stream.name), recomment(found, { ...rejectedComments, ...deliveryComments }))
