import { fault } from '../../base/faults.ts'
import type { Caller } from '../keys/caller.ts'
import { namesOn } from '../keys/places.ts'
import type { Registry } from '../registry/registry.ts'

/** A stream by its names. */
export type StreamName = { readonly schema: string; readonly stream: string }

/** The text that a client of a vendor has for its write key: the stream that its events go to, a key of Weir, or both. */
export type WriteKey = { readonly into?: StreamName; readonly key?: string }

const streamForm = /^(\w{1,63})\.(\w{1,63})$/

/** `S.ST` and `S` name where events go. */
export function streamIn(text: string): StreamName | undefined {
  const [, schema, stream] = streamForm.exec(text) ?? []
  return schema === undefined || stream === undefined ? undefined : { schema, stream }
}

/** Reads `S.ST@<key>`, `S.ST` or `<key>`. */
export function readWriteKey(text: string): WriteKey {
  const at = text.indexOf('@')
  const named = streamIn(at === -1 ? text : text.slice(0, at))
  if (!named) return text === '' ? {} : { key: text }
  const key = at === -1 ? '' : text.slice(at + 1)
  return { into: named, ...(key !== '' && { key }) }
}

/** The stream of a write key; where it names none, the only one that takes events in the only schema of its key. */
export function streamOf({ into }: WriteKey, caller: Caller, registry: Pick<Registry, 'find'>): StreamName {
  if (into) return into
  const schemas = namesOn(caller.on ?? new Set(), 'schema')
  const [schema = ''] = schemas
  const streams = [...(registry.find(schema)?.streams.values() ?? [])].filter(({ ingest }) => ingest)
  const [only] = streams
  if (schemas.length === 1 && streams.length === 1 && only) return { schema, stream: only.stream.name }
  throw fault(
    'invalid',
    'the write key names no stream: write it as <schema>.<stream>@<key>; a key alone does where it is for one schema with one stream that takes events',
  )
}
