import { fault } from '../../base/faults.ts'
import type { EventColumns } from '../../sql/query/compile/source.ts'
import { hasMatches } from '../../sql/schema/made.ts'
import { isOfMatches } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import type { DrainGate } from './drain-gate.ts'
import type { StreamIngest } from './stream-ingest.ts'

export type RegisteredStream = {
  readonly schema: Schema
  readonly stream: Stream
  readonly columns: EventColumns
  /** Absent for streams that take no posted events. */
  readonly ingest?: StreamIngest
  /** Parts of the log whose events reach this stream. */
  readonly queues: readonly string[]
  on: boolean
}

export type RegisteredSchema = {
  readonly schema: Schema
  /** The body as it was posted, which GET answers. */
  readonly body: string
  /** Every event passes it; an edit closes it. */
  readonly gate: DrainGate
  readonly streams: ReadonlyMap<string, RegisteredStream>
}

/** The schemas that are there, in memory, for requests to look up. */
export function createRegistry() {
  const schemas = new Map<string, RegisteredSchema>()
  /** Schemas that are in the catalogue and cannot be served, with the reason. */
  const failed = new Map<string, string>()

  const schemaOf = (name: string): RegisteredSchema => {
    const found = schemas.get(name)
    if (found) return found
    const reason = failed.get(name)
    if (reason !== undefined) throw fault('unavailable', `schema ${name} is not served at the moment: ${reason}`)
    throw fault('missing', `no schema ${shortened(name)}; GET /stream/list tells which there are`)
  }

  return {
    add: (registered: RegisteredSchema): void => {
      failed.delete(registered.schema.name)
      schemas.set(registered.schema.name, registered)
    },
    fail: (name: string, reason: string): void => {
      failed.set(name, reason)
    },
    remove: (name: string): void => {
      failed.delete(name)
      schemas.delete(name)
    },
    find: (name: string): RegisteredSchema | undefined => schemas.get(name),
    /** Parts of the log of all streams. */
    queues: (): readonly string[] =>
      [...schemas.values()].flatMap(({ streams }) => [...streams.values()].flatMap(({ queues }) => queues)),
    /** Whether a part of the log may still be fed: that of a schema that failed may. */
    mayFeed(queue: string): boolean {
      const [name = ''] = queue.split('.')
      const schema = schemas.get(name)?.schema
      return (
        failed.has(name) ||
        (schema !== undefined && isOfMatches(queue) && hasMatches(schema)) ||
        [...(schemas.get(name)?.streams.values() ?? [])].some(({ queues }) => queues.includes(queue))
      )
    },
    all: (): readonly RegisteredSchema[] => [...schemas.values()],
    schema: schemaOf,
    stream(schema: string, stream: string): RegisteredStream {
      const { streams } = schemaOf(schema)
      const found = streams.get(stream)
      if (found) return found
      throw fault(
        'missing',
        `no stream ${shortened(stream)} in schema ${schema}; there are ${[...streams.keys()].join(', ')}`,
      )
    },
  }
}

export type Registry = ReturnType<typeof createRegistry>

const shortened = (name: string): string => JSON.stringify(name.length > 64 ? `${name.slice(0, 61)}...` : name)
