/** Debezium's envelopes: the row after a change, as Debezium's own ExtractNewRecordState would make it (docs/sources.md). */
import { checkedScale, decimalOfBytes } from '../../../base/decimal.ts'
import { type Event, isObject, type Json, parseShallowJson } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'

/** Operations on a row, and the member with the row; a snapshot reads one. */
const rowAt: ReadonlyMap<string, 'after' | 'before'> = new Map([
  ['c', 'after'],
  ['u', 'after'],
  ['r', 'after'],
  ['d', 'before'],
])

/** Operations without a row: a truncated table, a message in PostgreSQL's log. */
const withoutRow: readonly Json[] = ['t', 'm']

/** The row of a change with `__op`, `__deleted`, `__ts_ms` and `__source_ts_ms`; undefined where none was changed. */
export function changeOf(message: Json, key: Json | undefined): Event | undefined {
  const envelope = payloadOf(message)
  if (envelope === null) return undefined
  if (!isObject(envelope)) throw new Refusal('the message is no JSON object')
  const { op = null, ts_ms, source } = envelope
  if (withoutRow.includes(op)) return undefined
  const member = typeof op === 'string' ? rowAt.get(op) : undefined
  if (!member)
    throw new Refusal(`the message is no envelope of Debezium: \`op\` must be c, u, r, d, t or m, and is ${shown(op)}`)
  const row = rowOf(envelope[member]) ?? (op === 'd' ? keyOf(key) : undefined)
  if (!row) throw new Refusal(`the message of Debezium has no row in \`${member}\``)
  const at = isObject(source) ? source.ts_ms : undefined
  return {
    ...(isObject(message) ? withDecimals(row, message.schema, member) : row),
    __op: op,
    __deleted: String(op === 'd'),
    ...(ts_ms !== undefined && { __ts_ms: ts_ms }),
    ...(at !== undefined && { __source_ts_ms: at }),
  }
}

/** Kafka Connect's JSON has the schema beside each payload, where that is not switched off. */
const payloadOf = (message: Json): Json =>
  isObject(message) && 'schema' in message && message.payload !== undefined ? message.payload : message

/** MongoDB's documents come as a text of JSON. */
function rowOf(value: Json | undefined): Event | undefined {
  const row = typeof value === 'string' ? parseShallowJson(value, 'the document') : value
  return isObject(row) ? row : undefined
}

/** Tables of PostgreSQL whose replica identity is nothing tell the key alone of a deleted row. */
function keyOf(key: Json | undefined): Event | undefined {
  const payload = key === undefined ? null : payloadOf(key)
  return isObject(payload) ? payload : undefined
}

const decimalName = 'org.apache.kafka.connect.data.Decimal'

/** Connect's JSON has the bytes of a decimal, whose scale only the schema tells. */
function withDecimals(row: Event, schema: Json | undefined, member: string): Event {
  const fields = fieldsOf(fieldsOf(schema).find((field) => field.field === member))
  const changed: Event = {}
  for (const { field, name, parameters } of fields) {
    if (name !== decimalName || typeof field !== 'string' || !isObject(parameters)) continue
    const bytes = Object.hasOwn(row, field) ? row[field] : undefined
    const { scale } = parameters
    if (typeof bytes === 'string')
      changed[field] = decimalOfBytes(
        Buffer.from(bytes, 'base64'),
        checkedScale(typeof scale === 'string' ? Number(scale) : scale),
      )
  }
  return { ...row, ...changed }
}

const fieldsOf = (schema: Json | undefined): Event[] =>
  isObject(schema) && Array.isArray(schema.fields) ? schema.fields.filter((field) => isObject(field)) : []

const shown = (value: Json): string =>
  value === null ? 'missing' : typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : 'no text'
