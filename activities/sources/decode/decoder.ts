/** Messages of Kafka as events, by the format that their source names (docs/sources.md). */
import { fault } from '../../../base/faults.ts'
import { type Event, isObject, type Json, parseShallowJson, utf8 } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { createOutbound } from '../../../infra/outbound/http.ts'
import type { RegistryLocation } from '../../../sql/source/registry.ts'
import { compileAvro } from './avro/compile.ts'
import { ByteCursor } from './byte-cursor.ts'
import { changeOf } from './debezium.ts'
import { compileProtobuf } from './protobuf/compile.ts'
import { createProtobufReader } from './protobuf/read.ts'
import { createRegistry, type RegisteredSchema } from './registry.ts'

export type MessageFormat = 'JSON' | 'Avro' | 'Protobuf' | 'Debezium'

export type MessageDecoder = {
  /**
   * The event of a message; undefined where it stands for none, as a tombstone. Throws a fault: `invalid` for a message that
   * cannot be read, `unavailable` where the registry gives no schema for now.
   */
  readonly decode: (value: Buffer | null, key: Buffer | null) => Promise<Event | undefined>
  /** Ends its connections to the registry. */
  readonly close: () => Promise<void>
}

export type MessageDecoderDeps = {
  readonly format: MessageFormat
  readonly registry?: RegistryLocation | undefined
  /** Whether the registry may be at an internal address. */
  readonly allowsInternal?: boolean
  /** The limit of one request to the registry. */
  readonly time_ms?: number
}

const usualTime_ms = 5_000

type ReadMessage = (message: Buffer) => Json

export function createMessageDecoder({
  format,
  registry,
  allowsInternal = false,
  time_ms = usualTime_ms,
}: MessageDecoderDeps): MessageDecoder {
  if (!registry && (format === 'Avro' || format === 'Protobuf'))
    throw fault('invalid', `registry: is missing: messages in ${format} bear the number of their schema alone`)
  const outbound = createOutbound({ allowsInternal, time_ms })
  const readerOf = registry && createRegistry(registry, outbound, compile)

  /** A value or a key: in the wire format of the registry, or plain JSON. */
  async function read(bytes: Buffer, what: string): Promise<Json> {
    const frame = framed(bytes)
    if (!frame || format === 'JSON') return jsonOf(frame?.message ?? bytes, what)
    if (readerOf) return (await readerOf(frame.id))(frame.message)
    // Serializers for JSON Schema frame plain JSON.
    if (frame.message[0] === openingBrace) return jsonOf(frame.message, what)
    throw new Refusal(`${what} bears the number of a schema: the source needs a \`registry\``)
  }

  async function eventOf(value: Buffer, key: Buffer | null): Promise<Event | undefined> {
    if ((format === 'Avro' || format === 'Protobuf') && !framed(value))
      throw new Refusal('the message has no number of a schema: it must begin with a zero byte and four of the number')
    const message = await read(value, 'the message')
    if (format === 'Debezium') return changeOf(message, key ? await read(key, 'the key of the message') : undefined)
    if (!isObject(message)) throw new Refusal(`the message is no ${format === 'JSON' ? 'JSON object' : 'record'}`)
    return message
  }

  /** A schema of another kind than the source's format; Debezium writes all of them. */
  async function compile(schema: RegisteredSchema): Promise<ReadMessage> {
    const { id, type } = schema
    const kind = kinds.get(type)
    if (!kind || (format !== 'Debezium' && kind.format !== format))
      throw new Refusal(`schema ${id} of the registry is of the type ${type.slice(0, 40)}, and the format is ${format}`)
    return await kind.compile(schema)
  }

  return {
    async decode(value, key) {
      if (value === null) return undefined
      try {
        return await eventOf(value, key)
      } catch (error) {
        throw error instanceof Refusal ? fault('invalid', error.message, { cause: error }) : error
      }
    },
    close: outbound.close,
  }
}

const openingBrace = 0x7b

const jsonOf = (bytes: Buffer, what: string): Json => parseShallowJson(utf8(bytes, what), what)

type Kind = { readonly format: MessageFormat; readonly compile: (schema: RegisteredSchema) => Promise<ReadMessage> }

/** How messages are read, by the types of schemas that registries have. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    'AVRO',
    {
      format: 'Avro',
      async compile({ text, references }) {
        const read = compileAvro(
          text,
          references.map((reference) => reference.text),
        )
        return (bytes) => {
          const cursor = new ByteCursor(bytes)
          const value = read(cursor)
          if (cursor.left > 0) throw new Refusal(`${cursor.left} bytes stand behind the record of the message`)
          return value
        }
      },
    },
  ],
  [
    'PROTOBUF',
    {
      format: 'Protobuf',
      async compile({ text, references }) {
        const typeAt = await compileProtobuf(text, references)
        const read = createProtobufReader()
        return (bytes) => {
          const cursor = new ByteCursor(bytes)
          const type = typeAt(messagePath(cursor))
          return read(cursor, type)
        }
      },
    },
  ],
  ['JSON', { format: 'JSON', compile: async () => (bytes) => jsonOf(bytes, 'the message') }],
])

const head_bytes = 5

/**
 * A message in Confluent's wire format, which has a zero byte and the number of the schema in four before it; undefined for another
 * one. No text of JSON begins with a zero byte.
 */
function framed(bytes: Buffer): { readonly id: number; readonly message: Buffer } | undefined {
  if (bytes[0] !== 0 || bytes.length < head_bytes) return undefined
  return { id: bytes.readUInt32BE(1), message: bytes.subarray(head_bytes) }
}

/** No message nests deeper. */
const maxPlaces = 100

/** The places of a Protobuf message's type: its number among the types of the file, then of that type. */
function messagePath(cursor: ByteCursor): readonly number[] {
  const count = Number(cursor.zigzag())
  if (count < 0 || count > maxPlaces) throw new Refusal(`the message names its type by ${count} places`)
  return count === 0 ? [0] : Array.from({ length: count }, () => Number(cursor.zigzag()))
}
