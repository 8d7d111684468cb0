import { z } from 'zod'
import { notificationOnWire } from '../../sql/notification/decode.ts'
import { streamOnWire } from '../../sql/schema/decode/stream.ts'
import { schemaOnWire } from '../../sql/schema/decode.ts'
import {
  anyObject,
  type Call,
  count,
  dry,
  force,
  goingThings,
  json,
  notes,
  strict,
  success,
  text,
  undo,
  undoUntil,
} from '../http/call.ts'
import { waits } from '../http/wait.ts'
import { streamStateOnWire } from './stream-state.ts'

/** A schema is shown as the client wrote it, so that its members have any form that is accepted. */
export const schemaShown = z.looseObject({ schema: z.string(), streams: z.array(z.looseObject({ name: z.string() })) })

/** A schema in words. Its members are those of the JSON Schema of `GET /definition.schema.json`. */
export const definitionInWords = z
  .looseObject({
    schema: z.string().optional(),
    streams: z.record(z.string(), z.looseObject({})),
    entities: z.record(z.string(), z.looseObject({})).optional(),
    joins: z.record(z.string(), z.unknown()).optional(),
    patterns: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Definition', description: 'a schema in words; GET /definition.schema.json says all of its members' })

const inYaml = text('a definition in words, in YAML', 'application/yaml')

/** Templates of notifications may come along. */
const notifs = z.array(notificationOnWire).optional()
const schemaSent = schemaOnWire.extend({ notifs })

/**
 * Notes about a success come in `error`, with an `errcode` of 0; `secrets` holds the secrets of new templates, by
 * `notifid`.
 */
const done = z.object({
  errcode: success,
  error: notes,
  msg: z.string().optional().meta({ description: 'where the call has begun something, or had nothing to do' }),
  secrets: z.record(z.string(), z.string()).optional(),
})

const gone = z.object({
  deleted_streams: z.array(z.object({ name: z.string() })),
  num_streams_del: count,
  errcode: success,
  undo_until: undoUntil,
  error: notes,
})

/** `?dry=1`: a graph that goes with its schema is listed too. */
const wouldGo = z.object({ would_delete: goingThings, errcode: success, error: notes })

const part = z.object({ what: z.string(), name: z.string(), detail: z.string().optional() })

/** `?dry=1`: the edit that was asked for, tried. */
const tried = z.object({
  errcode: success,
  dry: z.literal(1),
  would_add: z.array(part),
  would_change: z.array(z.object({ what: z.string(), name: z.string(), from: z.string(), to: z.string() })),
  would_fill: z.array(part.extend({ num_events: count })).meta({ description: 'from so many events of the stream' }),
  would_lose: z.array(part.extend({ num_events: count.optional() })),
  would_refuse: z.array(z.string()).meta({ description: 'why the edit would be refused; empty where it would stand' }),
  error: notes,
})

const edited = [json(z.union([done, tried]))]

export const registerSchema: Call = {
  id: 'registerSchema',
  group: 'streams',
  summary: 'Registers a schema',
  query: { ...dry, ...strict },
  body: { contents: [json(z.union([schemaSent, definitionInWords])), inYaml] },
  answers: edited,
  refuses: ['conflict'],
}

export const showDefinitionSchema: Call = {
  id: 'showDefinitionSchema',
  group: 'streams',
  summary: 'The JSON Schema of definitions in words, for editors',
  answers: [json(anyObject)],
}

export const replaceSchema: Call = {
  id: 'replaceSchema',
  group: 'streams',
  summary: 'Replaces a registered schema by an edited one; what is kept stays',
  query: { ...dry, ...force, ...strict },
  body: { contents: [json(z.union([schemaSent, definitionInWords])), inYaml] },
  answers: edited,
  refuses: ['conflict'],
}

export const addStreams: Call = {
  id: 'addStreams',
  group: 'streams',
  summary: 'Adds streams to a schema',
  query: { ...dry, ...strict },
  body: {
    contents: [
      json(
        z.union([
          z.object({ schema: z.string().optional(), streams: z.array(streamOnWire).min(1), notifs }),
          definitionInWords,
        ]),
      ),
      inYaml,
    ],
  },
  answers: edited,
  refuses: ['conflict'],
}

export const rebuildStream: Call = {
  id: 'rebuildStream',
  group: 'streams',
  summary: 'Makes all that is derived of a stream anew, in the background',
  query: { ...force, ...waits(0) },
  answers: [
    json(
      done.extend({
        state: z
          .enum(['running', 'done', 'failed', 'cancelled'])
          .optional()
          .meta({ description: 'of the rebuild, with `wait`' }),
      }),
    ),
  ],
  refuses: ['conflict'],
}

export const setState: Call = {
  id: 'setState',
  group: 'streams',
  summary: 'Turns a stream ON or OFF',
  body: { contents: [json(streamStateOnWire)] },
  answers: [json(done)],
  refuses: ['conflict'],
}

export const removeSchema: Call = {
  id: 'removeSchema',
  group: 'streams',
  summary: 'Removes a schema, its streams, and their data',
  query: { ...dry, ...undo },
  answers: [json(z.union([gone, wouldGo]))],
  refuses: ['conflict'],
}

export const removeStream: Call = {
  id: 'removeStream',
  group: 'streams',
  summary: 'Removes a stream of a schema, and its data',
  query: { ...dry, ...undo },
  answers: [json(z.union([gone, wouldGo]))],
  refuses: ['conflict'],
}
