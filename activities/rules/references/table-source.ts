import { isObject, type Json, parseJson } from '../../../base/json.ts'
import { isAbsent } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { numberFromText } from '../../../sql/schema/number-text.ts'
import type { AttributeType, Reference, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileFind, type FindTerm, type FoundRow, kindsOf, typeAt } from '../../../sql/table/find-records.ts'
import { keyType, type Table } from '../../../sql/table/table.ts'
import { keyText } from '../../events/compare.ts'
import type { Scalar } from '../../events/values.ts'
import type { RuleEvent } from '../rule-event.ts'
import type { Ask, Outside, Question } from './outside.ts'
import { readOperand } from './pair.ts'

/** The values that a record has at a reference's paths. */
type Found = readonly unknown[] | 'none'

export type FindRecord = (event: RuleEvent, state: RuleState, outside: Outside) => readonly unknown[] | undefined

/** References over the records of tables, as they are at the time of the event. */
export function compileTableSources(schema: Schema): ReadonlyMap<Reference, FindRecord> {
  return new Map(
    schema.streams.flatMap((stream) =>
      stream.references.flatMap((reference): [Reference, FindRecord][] =>
        reference.source.kind === 'table' ? [[reference, compileFinder(reference, reference.source, stream)]] : [],
      ),
    ),
  )
}

/** A literal that was sent as a text, as the type of the records' values wants it. */
export const readLiteral = (value: Scalar, type: AttributeType): Scalar =>
  typeof value === 'string' && (type === 'LONG' || type === 'DOUBLE') ? (numberFromText(value) ?? value) : value

type TableName = Extract<Reference['source'], { kind: 'table' }>

function compileFinder({ condition, sources }: Reference, { database, table }: TableName, stream: Stream): FindRecord {
  const operands = condition.terms.map((term) => readOperand(stream, term))
  const keyAt = condition.terms.findIndex(({ other, operator }) => other === '_pk' && operator === '=')
  const question: Question<Found> = {
    isOfEvents: false,
    records: {
      table: (on) => on.tableOf(database, table),
      // No record has another text of a number as its key.
      keyOf: (values) => (keyAt < 0 ? undefined : String(values[keyAt])),
    },
    // A record that no key finds may meet every event of a statement, and takes memory for each.
    atOnce: keyAt < 0 ? 250 : 1_000,
    async ask(on, keys) {
      const there = on.tableOf(database, table)
      if (!there) return keys.map(() => 'none')
      const terms = condition.terms.map(({ other, operator }): FindTerm => ({ path: other, operator }))
      const readers = condition.terms.map(({ other, value }) => {
        const type = typeAt(there, other)
        return (sent: Scalar): Scalar => (value.kind === 'fixed' && type ? readLiteral(sent, type) : sent)
      })
      const read = keys.map((values) => values.map((value, index) => readers[index]?.(value) ?? value))
      return findAll(on, there, terms, read, sources)
    },
  }
  return ({ event }, _state, outside) => {
    const values: Scalar[] = []
    for (const read of operands) {
      const value = read(event)
      if (value === undefined) return undefined
      values.push(value)
    }
    const found = outside.answer(question, keyText(values), values)
    return found === 'none' ? undefined : found
  }
}

async function findAll(
  { clickhouse }: Pick<Ask, 'clickhouse'>,
  table: Table,
  terms: readonly FindTerm[],
  keys: readonly (readonly Scalar[])[],
  sources: readonly string[],
): Promise<Found[]> {
  const answers = keys.map((): Found => 'none')
  const alike = new Map<string, number[]>()
  for (const [index, values] of keys.entries()) {
    const kinds = kindsOf(values)
    alike.set(kinds, [...(alike.get(kinds) ?? []), index])
  }
  for (const places of alike.values()) {
    const statement = compileFind(
      table,
      terms,
      places.map((place) => keys[place] ?? []),
    )
    if (!statement) continue
    for (const { i, found } of await rowsOf(clickhouse, statement)) {
      const place = places[i]
      if (place !== undefined) answers[place] = valuesOf(table, found, sources)
    }
  }
  return answers
}

/** A table that is dropped meanwhile has no record. */
async function rowsOf(clickhouse: Ask['clickhouse'], statement: Parameters<Ask['clickhouse']['rows']>[0]) {
  try {
    return await clickhouse.rows<FoundRow>(statement)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

function valuesOf(table: Table, [key, version, text]: FoundRow['found'], sources: readonly string[]): unknown[] {
  const document = table.kind === 'NORMAL' ? text : parseJson(text, 'the document')
  return sources.map((path) => {
    if (path === '_pk') return keyType(table) === 'Int64' ? parseJson(key, 'the key') : key
    if (path === '_v') return Number(version)
    if (table.kind !== 'WIDE') return path === 'doc' ? document : undefined
    return valueAt(document, path)
  })
}

/** A number counts an array's elements from 0; in an object it is a name. */
function valueAt(document: Json, path: string): Json | undefined {
  let value: Json | undefined = document
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(part) ? value[Number(part)] : undefined
    else if (isObject(value)) value = Object.hasOwn(value, part) ? value[part] : undefined
    else return undefined
  }
  return value
}
