/** A topic of somebody else's Kafka whose messages become events, as `PUT /source/N` takes it. */
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { text } from '../../base/decode/values.ts'
import { createWireObject, type WireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { type KafkaTls, saslMechanisms } from '../../infra/log/kafka/settings.ts'
import { decodeInto, refuseUnknown } from '../../sql/hook/definition.ts'
import { checkAttributeName } from '../../sql/schema/check/name.ts'
import { type RegistryLocation, readRegistry, registryOnWire } from '../../sql/source/registry.ts'
import type { MessageFormat } from './decode/decoder.ts'

export type Source = {
  readonly kafka: {
    /** `host:port` each. */
    readonly brokers: readonly string[]
    readonly topic: string
    /** A group whose offsets are written for others to see. */
    readonly group?: string
    readonly sasl?: { readonly mechanism: (typeof saslMechanisms)[number]; readonly user: string }
    /** `true`: by the authorities that this machine trusts. */
    readonly tls?: true | Omit<KafkaTls, 'key'>
  }
  readonly format: MessageFormat
  readonly registry?: Omit<RegistryLocation, 'password'>
  readonly into: { readonly schema: string; readonly stream: string }
  readonly description?: string
  /** The path of each attribute; absent: a message is the event. */
  readonly map?: Readonly<Record<string, string>>
  readonly time?: string
  readonly from: 'earliest' | 'latest'
}

/** The parts of a source that no call shows. */
export type SourceSecrets = { readonly password?: string; readonly key?: string; readonly registry?: string }

/** A source, and the secrets that came with it: one that is absent is kept. */
export type SentSource = { readonly source: Source; readonly secrets: SourceSecrets }

const maxBytes = 200_000
const maxAttributes = 1_000
const maxBrokers = 20
const longestPlace = 500
const longestPem = 50_000
const messageFormats = ['JSON', 'Avro', 'Protobuf', 'Debezium'] as const satisfies readonly MessageFormat[]
const begins = ['earliest', 'latest'] as const

const saslOnWire = z.object({
  mechanism: z.enum(saslMechanisms),
  user: z.string(),
  password: z.string().optional().meta({ description: 'never shown; absent: the source keeps the one it has' }),
})

const tlsOnWire = z.object({
  ca: z.string().optional().meta({
    description: 'authorities in PEM, in place of those that the machine trusts',
  }),
  cert: z.string().optional().meta({ description: 'the certificate of Weir in PEM, where brokers ask for one' }),
  key: z
    .string()
    .optional()
    .meta({ description: 'its key in PEM, never shown; absent: the source keeps the one it has' }),
  servername: z.string().optional().meta({ description: 'the name in the certificates of brokers that go by another' }),
})

export const sourceOnWire = z.object({
  kafka: z.object({
    brokers: z.union([z.array(z.string()).min(1).max(maxBrokers), z.string()]).meta({
      description: 'host:port of brokers, from which the others are learned: a list, or with commas between them',
    }),
    topic: z.string(),
    group: z.string().optional().meta({
      description: 'a group whose offsets Weir writes, for tools that show its lag; Weir itself reads none there',
    }),
    sasl: saslOnWire.optional(),
    tls: z.union([z.boolean(), tlsOnWire]).optional(),
  }),
  format: z.enum(messageFormats).optional().meta({ description: 'of the values of messages; JSON if absent' }),
  registry: registryOnWire.optional().meta({ description: 'the schema registry of the messages' }),
  into: z.string().meta({ description: 'the stream that takes the events, as schema.stream' }),
  description: z.string().optional(),
  map: z.record(z.string(), z.string()).optional().meta({
    description:
      'attribute: path into the message, or $key, $headers.<name>, $partition, $offset, $timestamp; absent: a message is the event',
  }),
  time: z.string().optional().meta({
    description:
      'the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970; absent: the `_pk` of the message, or its timestamp',
  }),
  from: z.enum(begins).optional().meta({
    description: 'where a new source begins: with the earliest message, which is the default, or with the next one',
  }),
})

const line = (max: number) => text.min(1, 'must not be empty').max(max, `must be at most ${max} characters long`)
const place = line(longestPlace)
const broker = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/
const topicName = /^[A-Za-z0-9._-]{1,249}$/
const metadata = ['$key', '$partition', '$offset', '$timestamp'] as const
const header = /^\$headers\..{1,200}$/s
const form =
  'send {"kafka": {"brokers": ["host:9092"], "topic": "..."}, "format": "JSON", "into": "schema.stream", "from": "earliest"}'

/** A good definition; a `Refusal` says all that is wrong with another one. */
export function decodeSource(wire: Json): SentSource {
  if (!isObject(wire)) throw fault('invalid', form)
  if (Buffer.byteLength(writeJson(wire)) > maxBytes) throw fault('invalid', `the source has over ${maxBytes} bytes`)
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  refuseUnknown(object, wire, sourceOnWire.shape)
  const { kafka, ...secrets } = decodeKafka(object, wire.kafka)
  const format = object.take(
    'format',
    z.enum(messageFormats, `must be one of ${messageFormats.join(', ')}`).default('JSON'),
  )
  const registry = decodeRegistry(object, wire.registry)
  if (!registry && (format === 'Avro' || format === 'Protobuf') && (wire.registry ?? undefined) === undefined)
    object.fail('registry', `is missing: messages in ${format} bear the number of their schema alone`)
  const into = decodeInto(object)
  const description = object.take('description', line(10_000).optional())
  const map = decodeMap(object, wire.map)
  const time = object.take('time', place.optional())
  if (time !== undefined) checkPlace(object, 'time', time)
  const from = object.take('from', z.enum(begins, 'must be earliest or latest').default('earliest'))
  problems.refuse()
  const { password: registryPassword, ...location } = registry ?? { url: '' }
  return {
    source: {
      kafka,
      format: format ?? 'JSON',
      ...(registry && { registry: location }),
      into,
      ...(description !== undefined && { description }),
      ...(map && { map }),
      ...(time !== undefined && { time }),
      from: from ?? 'earliest',
    },
    secrets: { ...secrets, ...(registryPassword !== undefined && { registry: registryPassword }) },
  }
}

function decodeKafka(request: WireObject, wire: Json | undefined): Pick<Source, 'kafka'> & SourceSecrets {
  const object = request.object('kafka')
  if (!object || !isObject(wire)) return { kafka: { brokers: [], topic: '' } }
  refuseUnknown(object, wire, sourceOnWire.shape.kafka.shape)
  const brokers = decodeBrokers(object, wire.brokers)
  const topic = object.take('topic', text) ?? 'a'
  if (!topicName.test(topic) || topic === '.' || topic === '..')
    object.fail('topic', 'must be the name of a topic: 1 to 249 letters, digits, dots, _ and -')
  const group = object.take('group', line(249).optional())
  const { sasl, password } = decodeSasl(object, wire.sasl)
  const { tls, key } = decodeTls(object, wire.tls)
  return {
    kafka: {
      brokers,
      topic,
      ...(group !== undefined && { group }),
      ...(sasl && { sasl }),
      ...(tls !== undefined && { tls }),
    },
    ...(password !== undefined && { password }),
    ...(key !== undefined && { key }),
  }
}

function decodeBrokers(object: WireObject, wire: Json | undefined): readonly string[] {
  const list = typeof wire === 'string' ? wire.split(',').map((each) => each.trim()) : wire
  const says = `must be 1 to ${maxBrokers} brokers, as ["host:9092"]`
  if (wire === undefined || wire === null) object.fail('brokers', 'is missing: send ["host:9092"]')
  else if (!Array.isArray(list) || list.length === 0 || list.length > maxBrokers) object.fail('brokers', says)
  else {
    const brokers = list.map((each) => (typeof each === 'string' ? each : ''))
    for (const [at, each] of brokers.entries()) {
      const port = Number(broker.exec(each)?.[1] ?? 0)
      if (port < 1 || port > 65_535)
        object.fail(`brokers[${at}]`, 'must be a host and a port, as kafka.example.org:9092')
    }
    return [...new Set(brokers)]
  }
  return []
}

function decodeSasl(kafka: WireObject, wire: Json | undefined) {
  if (wire === undefined || wire === null) return {}
  const object = kafka.object('sasl')
  if (!object || !isObject(wire)) return {}
  refuseUnknown(object, wire, saslOnWire.shape)
  const mechanism = object.take('mechanism', z.enum(saslMechanisms, `must be one of ${saslMechanisms.join(', ')}`))
  const user = object.take('user', line(500))
  const password = object.take('password', line(5_000).optional())
  return { sasl: { mechanism: mechanism ?? 'plain', user: user ?? '' }, password } as const
}

function decodeTls(kafka: WireObject, wire: Json | undefined): { tls?: true | Omit<KafkaTls, 'key'>; key?: string } {
  if (wire === undefined || wire === null || wire === false) return {}
  if (wire === true) return { tls: true }
  const object = kafka.object('tls')
  if (!object || !isObject(wire)) return {}
  refuseUnknown(object, wire, tlsOnWire.shape)
  const pem = line(longestPem)
    .regex(/^\s*-----BEGIN [A-Z ]{1,40}-----\n/, 'must be PEM, which begins with -----BEGIN')
    .optional()
  const [ca, cert, key] = [object.take('ca', pem), object.take('cert', pem), object.take('key', pem)]
  const servername = object.take('servername', line(253).optional())
  if (key !== undefined && cert === undefined) object.fail('cert', 'is missing: a key goes with its certificate')
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(servername !== undefined && { servername }),
  }
  return { tls: Object.keys(tls).length === 0 ? true : tls, ...(key !== undefined && { key }) }
}

function decodeRegistry(object: WireObject, wire: Json | undefined): RegistryLocation | undefined {
  if (wire === undefined || wire === null) return undefined
  try {
    return readRegistry(wire, 'registry')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) object.fail(...placeIn(problem))
    return undefined
  }
}

/** The member and the sentence of a problem. */
function placeIn(problem: string): [string, string] {
  const [member = '', ...rest] = problem.split(': ')
  return [member, rest.join(': ')]
}

/** Says what is wrong with a path that names something beside the message's value. */
function checkPlace(object: WireObject, at: string, path: string): void {
  if (!path.startsWith('$') || header.test(path) || metadata.some((each) => each === path)) return
  object.fail(at, `has ${path.slice(0, 64)}, and there are ${metadata.join(', ')} and $headers.<name>`)
}

function decodeMap(object: WireObject, wire: Json | undefined): Record<string, string> | undefined {
  if (wire === undefined || wire === null) return undefined
  if (!isObject(wire)) return void object.fail('map', 'must be an object of paths by the names of attributes')
  const names = Object.keys(wire)
  if (names.length === 0 || names.length > maxAttributes)
    return void object.fail('map', `must have 1 to ${maxAttributes} attributes`)
  const places: [string, string][] = []
  for (const name of names) {
    const at = `map.${name.slice(0, 64)}`
    const problem = name === '_pk' ? 'is set by `time`' : name === '_id' ? undefined : checkAttributeName(name)
    if (problem !== undefined) object.fail(at, problem)
    const read = place.safeParse(wire[name])
    if (!read.success) {
      object.fail(at, read.error.issues[0]?.message ?? 'must be a path')
      continue
    }
    checkPlace(object, at, read.data)
    places.push([name, read.data])
  }
  return Object.fromEntries(places)
}

/** The inverse of `decodeSource`, without secrets. */
export function sourceToWire({ kafka, format, registry, into, ...rest }: Source): { readonly [name: string]: Json } {
  const { brokers, topic, group, sasl, tls } = kafka
  return {
    kafka: {
      brokers: [...brokers],
      topic,
      ...(group !== undefined && { group }),
      ...(sasl && { sasl: { ...sasl } }),
      ...(tls !== undefined && { tls: tls === true ? true : { ...tls } }),
    },
    format,
    ...(registry && { registry: { ...registry } }),
    into: `${into.schema}.${into.stream}`,
    ...(rest.description !== undefined && { description: rest.description }),
    ...(rest.map && { map: { ...rest.map } }),
    ...(rest.time !== undefined && { time: rest.time }),
    from: rest.from,
  }
}
