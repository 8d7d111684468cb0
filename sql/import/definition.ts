/** Files that become events of a stream, as `POST /import` takes them. */
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { text } from '../../base/decode/values.ts'
import { createWireObject, type WireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, writeJson } from '../../base/json.ts'
import { decodeInto, refuseUnknown } from '../hook/definition.ts'
import { checkAttributeName, checkName } from '../schema/check/name.ts'

const formats = ['CSV', 'JSON', 'NDJSON', 'Parquet'] as const
export type FileFormat = (typeof formats)[number]

/** One object, or all whose keys begin with the prefix. */
export type FilesFrom = { readonly bucket: string } & ({ readonly key: string } | { readonly prefix: string })

export type FileImport = {
  readonly from: FilesFrom
  readonly format: FileFormat
  /** The character between cells of CSV. */
  readonly separator?: string
  readonly into: { readonly schema: string; readonly stream: string }
  /** The column or the path of each attribute; absent: a row is the event. */
  readonly map?: Readonly<Record<string, string>>
  /** The column or the path of the event's time. */
  readonly time?: string
}

/** An import, and the name that its sender gave it. */
export type SentImport = { readonly id?: string; readonly definition: FileImport }

const maxBytes = 100_000
const maxAttributes = 1_000
const longestPlace = 500

export const importOnWire = z.object({
  id: z.string().optional().meta({
    description: 'a name for this import: the same request under the same name begins nothing anew',
  }),
  from: z.object({
    bucket: z.string(),
    key: z.string().optional().meta({ description: 'the key of one object' }),
    prefix: z
      .string()
      .optional()
      .meta({ description: 'in place of `key`: all objects whose keys begin so, in the order of their keys' }),
  }),
  format: z.enum(formats).meta({ description: 'packed by gzip or zstd, too, which the first bytes of a file show' }),
  separator: z.string().optional().meta({ description: 'CSV: one character between cells; a comma if absent' }),
  into: z.string().meta({ description: 'the stream that takes the events, as schema.stream' }),
  map: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'attribute: name of a column, or path into a row; absent: a row is the event' }),
  time: z.string().optional().meta({
    description:
      'the column or the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970',
  }),
})

const place = text.min(1, 'must not be empty').max(longestPlace, `must be at most ${longestPlace} characters long`)
const key = text.min(1, 'must not be empty').max(1024, 'must be at most 1024 characters long')

/** A good request; a `Refusal` says all that is wrong with another one. */
export function decodeImport(wire: Json): SentImport {
  if (!isObject(wire))
    throw fault('invalid', 'send {"from": {"bucket": "...", "key": "..."}, "format": "CSV", "into": "schema.stream"}')
  if (Buffer.byteLength(writeJson(wire)) > maxBytes) throw fault('invalid', `the request has over ${maxBytes} bytes`)
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  refuseUnknown(object, wire, importOnWire.shape)
  const id = object.take('id', text.optional())
  const problem = id === undefined ? undefined : checkName(id)
  if (problem !== undefined) object.fail('id', problem)
  const from = decodeFrom(object, wire.from)
  const format = object.take('format', z.enum(formats, `must be one of ${formats.join(', ')}`)) ?? 'NDJSON'
  const separator = object.take('separator', text.optional())
  if (separator !== undefined && format !== 'CSV') object.fail('separator', 'goes with the format CSV')
  if (separator !== undefined && !/^[^"\r\n]$/.test(separator))
    object.fail('separator', 'must be one character, and no quote or line end')
  const into = decodeInto(object)
  const map = decodeMap(object, wire.map)
  const time = object.take('time', place.optional())
  problems.refuse()
  const definition: FileImport = {
    from,
    format,
    ...(separator !== undefined && { separator }),
    into,
    ...(map && { map }),
    ...(time !== undefined && { time }),
  }
  return { definition, ...(id !== undefined && { id }) }
}

function decodeFrom(request: WireObject, wire: Json | undefined): FilesFrom {
  const none = { bucket: '', key: '' }
  const object = request.object('from')
  if (!object || !isObject(wire)) return none
  refuseUnknown(object, wire, importOnWire.shape.from.shape)
  const bucket = object.take('bucket', place) ?? ''
  const one = object.take('key', key.optional())
  const prefix = object.take('prefix', text.max(1024, 'must be at most 1024 characters long').optional())
  if (one !== undefined && prefix !== undefined) object.fail('prefix', 'goes without `key`: send one of the two')
  if (one === undefined && prefix === undefined) object.fail('key', 'is missing: send it, or `prefix`')
  return one === undefined ? { bucket, prefix: prefix ?? '' } : { bucket, key: one }
}

function decodeMap(object: WireObject, wire: Json | undefined): Record<string, string> | undefined {
  if (wire === undefined || wire === null) return undefined
  if (!isObject(wire))
    return void object.fail('map', 'must be an object of columns or paths by the names of attributes')
  const names = Object.keys(wire)
  if (names.length === 0 || names.length > maxAttributes)
    return void object.fail('map', `must have 1 to ${maxAttributes} attributes`)
  const places: [string, string][] = []
  for (const name of names) {
    const at = `map.${name.slice(0, 64)}`
    const problem = name === '_pk' ? 'is set by `time`' : name === '_id' ? undefined : checkAttributeName(name)
    if (problem !== undefined) object.fail(at, problem)
    const read = place.safeParse(wire[name])
    if (read.success) places.push([name, read.data])
    else object.fail(at, read.error.issues[0]?.message ?? 'must be a column or a path')
  }
  return Object.fromEntries(places)
}

/** The inverse of `decodeImport`. */
export function importToWire({ into, map, ...rest }: FileImport): { readonly [name: string]: Json } {
  const { from, format, separator, time } = rest
  return {
    from: { ...from },
    format,
    ...(separator !== undefined && { separator }),
    into: `${into.schema}.${into.stream}`,
    ...(map && { map: { ...map } }),
    ...(time !== undefined && { time }),
  }
}
