import { fault } from '../../../base/faults.ts'
import { isObject, type Json, parseJson, parseShallowJson, writeJson } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Deletion } from '../../../infra/catalogue/deletions.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Delivery } from '../../../infra/log/delivery.ts'
import type { Notes } from '../../../sql/schema/check/notes.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { queueName } from '../../../sql/schema/names.ts'
import type { RegisteredSchema, Registry } from '../../registry/registry.ts'
import type { Deletions, Undo } from '../../undo/deletions.ts'
import type { ChangeTerms } from '../change-terms.ts'
import type { SchemaCompiler } from '../compile-schema.ts'
import type { StreamStates } from '../stream-states.ts'
import { compileColumns, lackingEntities, readDeletedStream, writeDeletedStream } from './stream-aside.ts'

export type StreamBodiesDeps = {
  readonly clickhouse: ClickHouse
  readonly registry: Pick<Registry, 'stream'>
  readonly compiler: Pick<SchemaCompiler, 'decode'>
  readonly states: Pick<StreamStates, 'of'>
  readonly delivery: Pick<Delivery, 'redelivers'>
  readonly deletions: Pick<Deletions, 'recordOf'>
}

/** The bodies of a schema to which streams come, or from which one goes. */
export function createStreamBodies({ clickhouse, registry, compiler, states, delivery, deletions }: StreamBodiesDeps) {
  /** The body of a schema with the streams that `body` adds. */
  function bodyWith(present: RegisteredSchema, body: string, terms: ChangeTerms): string {
    const { name } = present.schema
    const sent = parseShallowJson(body, 'the body')
    const added = streamsOf(sent)
    if (isObject(sent) && sent.schema !== undefined && sent.schema !== name)
      throw fault('invalid', `schema: the path says ${name}, the body ${JSON.stringify(sent.schema)}`)
    const posted = parseJson(present.body, 'the schema')
    const known = new Set(present.streams.keys())
    const clash = added.filter(
      (stream) => isObject(stream) && typeof stream.name === 'string' && known.has(stream.name),
    )
    if (clash.length > 0) {
      const names = clash.map((stream) => (isObject(stream) ? String(stream.name) : '')).join(', ')
      throw fault('conflict', `schema ${name} has ${names} already; PUT /stream replaces a schema`)
    }
    if (!isObject(posted)) throw new Error('a registered schema is an object')
    const there = streamsOf(posted)
    noteMembers(terms.notes, sent)
    terms.notes.skip(there.length)
    return writeJson({ ...posted, streams: [...there, ...added] })
  }

  /** The body of a schema once a stream has gone; a fault `conflict` where others refer to the stream. */
  function bodyWithout({ schema: { name }, body }: RegisteredSchema, stream: string): string {
    registry.stream(name, stream)
    const posted = parseJson(body, 'the schema')
    if (!isObject(posted)) throw new Error('a registered schema is an object')
    const streams = streamsOf(posted).filter((each) => !isObject(each) || each.name !== stream)
    const left = writeJson({ ...posted, streams })
    refuseReferences(name, stream, left)
    return left
  }

  /** The record of a stream that is to be kept once it has gone. */
  async function recordOf(present: RegisteredSchema, stream: string, undo: Undo): Promise<Deletion> {
    const { name } = present.schema
    const streams = streamsOf(parseJson(present.body, 'the schema'))
    const index = streams.findIndex((each) => isObject(each) && each.name === stream)
    const body = writeDeletedStream({
      wire: writeJson(streams[index] ?? null),
      index,
      redelivered: delivery.redelivers,
      states: await states.of(name, [stream]),
    })
    return deletions.recordOf({ kind: 'stream', name: queueName(name, stream), body, state: 'kept' }, undo)
  }

  /** The body of a schema to which a kept stream comes back; a fault `conflict` where it does not fit any more. */
  async function bodyWithAgain(present: RegisteredSchema, stream: string, thing: Deletion): Promise<string> {
    const { name } = present.schema
    const conflict = (reason: string) =>
      fault('conflict', `stream ${thing.name} stays kept, schema ${name} has changed since: ${reason}`)
    if (present.streams.has(stream)) throw conflict(`it has a stream ${stream} again`)
    const posted = parseJson(present.body, 'the schema')
    if (!isObject(posted)) throw new Error('a registered schema is an object')
    const { wire, index } = readDeletedStream(thing)
    const body = writeJson({
      ...posted,
      streams: streamsOf(posted).toSpliced(index, 0, parseJson(wire, 'the stream')),
    })
    try {
      const to = compiler.decode(body)
      const lacking = lackingEntities(to, stream, await clickhouse.rows(compileColumns(to)))
      if (lacking.length > 0) throw conflict(`an edit took its values out of the rows of ${lacking.join(', ')}`)
    } catch (error) {
      throw error instanceof Refusal ? conflict(error.message) : error
    }
    return body
  }

  return { bodyWith, bodyWithout, recordOf, bodyWithAgain }
}

/** A stream that others feed cannot go alone. */
function refuseReferences(schema: string, stream: string, body: string): void {
  try {
    decodeSchema(parseJson(body, 'the schema'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = `stream ${schema}.${stream} is still referred to: ${error.message}; PUT /stream takes both out together`
    throw fault('conflict', message)
  }
}

const ofAddedStreams = ['schema', 'streams', 'notifs']

/** Notes the members that do nothing in a body that adds streams. */
function noteMembers(notes: Pick<Notes, 'unknown'>, sent: Json): void {
  for (const name of Object.keys(isObject(sent) ? sent : {})) {
    if (!ofAddedStreams.includes(name)) notes.unknown('', name, ofAddedStreams)
  }
}

const streamsOf = (body: Json): Json[] => {
  const streams = isObject(body) ? body.streams : undefined
  if (Array.isArray(streams)) return streams
  throw fault('invalid', 'send {"schema": "<name>", "streams": [...]}')
}
