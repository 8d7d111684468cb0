import { z } from 'zod'
import {
  type Call,
  consistency,
  count,
  instant,
  json,
  long,
  ndjson,
  notes,
  oneOrZero,
  parameter,
  success,
  text,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { definitionInWords, schemaShown } from '../schemas/calls.ts'
import { uploadOnWire } from './upload.ts'

const eventOnWire = z
  .looseObject({
    _pk: z
      .union([long.min(100_000_000_000_000), z.string()])
      .optional()
      .meta({ description: 'the time of the event: microseconds since 1970, or an ISO 8601 text' }),
    _id: z.string().optional().meta({ description: 'the same one within 24 hours is accepted once' }),
  })
  .meta({ id: 'Event', description: "a member by the name of each of the stream's attributes, and any other" })

/** The outcome of the lines of a body. */
export const linesTaken = z
  .object({
    errcode: z.literal([0, -1]).meta({ description: '-1: all lines are refused' }),
    accepted: count,
    rejected: count,
    repeated: count.optional().meta({ description: 'lines, counted in `accepted`, whose `_id` was there before' }),
    errors: z.array(z.object({ line: z.int().min(1), error: z.string() })).max(100),
    error: notes,
  })
  .meta({ id: 'LinesTaken' })

export const listSchemas: Call = {
  id: 'listSchemas',
  group: 'streams',
  summary: 'The schemas, and how many notifications were sent',
  query: pages(),
  list: { member: 'schemas', key: ['name'] },
  answers: [
    json(
      z.object({
        schemas: z.array(z.object({ name: z.string(), state: oneOrZero, num_streams: count })),
        num_schemas: count,
        cursor: nextCursor,
        notif_count_total: count,
        notif_count_day: count,
        notif_count_prev_day: count,
        errcode: success,
      }),
    ),
  ],
}

export const showSchema: Call = {
  id: 'showSchema',
  group: 'streams',
  summary: 'A schema as it was registered, or in words',
  query: {
    as: parameter(
      'words: the schema in words; as YAML where Accept asks for application/yaml',
      z.literal(['wire', 'words']).optional(),
    ),
  },
  answers: [json(z.union([schemaShown, definitionInWords])), text('the schema in words', 'application/yaml')],
}

const kind = z.int().min(1).max(4)

export const streamInfos: Call = {
  id: 'streamInfos',
  group: 'streams',
  summary: 'The streams of a schema, their events, and how far a rebuild is',
  query: { ...consistency, ...pages() },
  list: { member: 'streams', key: ['name'] },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        streams: z.array(
          z.object({
            name: z.string(),
            type: kind,
            state: oneOrZero,
            num_events: count,
            rebuild: z
              .object({
                state: z.enum(['running', 'done', 'failed', 'cancelled']),
                done: count.meta({ description: 'tables that are full, of `total`' }),
                total: count,
                since: instant.optional(),
              })
              .optional(),
            rule_state: z
              .object({ bytes: count, dropped: count, ahead: count.optional(), waiting: count.optional() })
              .optional()
              .meta({
                description:
                  'the events of the stream that rules remember: their bytes, how many went past a bound, how many had a time ahead of that at which they came, and how many wait for another event whose absence is told',
              }),
          }),
        ),
        num_streams: count,
        edit: z
          .object({
            state: z.enum(['building', 'filling']),
            done: count.meta({ description: 'parts that are full, of `total`' }),
            total: count,
            since: instant.optional(),
          })
          .optional()
          .meta({
            description:
              'while an edit fills what it adds from the events of before; queries see the schema of before while it is `building`, that of after while it is `filling`',
          }),
        errcode: success,
        error: notes,
      }),
    ),
  ],
}

export const countEvents: Call = {
  id: 'countEvents',
  group: 'streams',
  summary: 'How many events a stream holds',
  query: consistency,
  answers: [json(z.object({ count }))],
}

export const listRefused: Call = {
  id: 'listRefused',
  group: 'streams',
  summary: 'The latest events of a stream that this process refused, newest first',
  query: pages(200),
  list: { member: 'refused', key: ['ts', 'line', 'text'], max: 200 },
  answers: [
    json(
      z.object({
        cursor: nextCursor,
        refused: z.array(
          z.object({
            ts: instant,
            line: z.int().min(1).optional().meta({ description: 'of its batch' }),
            error: z.string(),
            text: z.string().meta({ description: 'its first 4 KB' }),
          }),
        ),
        num_refused: count.meta({ description: 'all since `since`' }),
        since: instant,
      }),
    ),
  ],
}

export const followEvents: Call = {
  id: 'followEvents',
  group: 'streams',
  summary: 'The events of a stream as they come, as server-sent events',
  query: {
    where: parameter('a condition, as behind `where` in a query', z.string().min(1).optional()),
    last: parameter(
      'begins with so many of the latest events that match',
      z.string().meta({ type: 'integer', minimum: 0, maximum: 1000 }).optional(),
    ),
    after: parameter('the id of an event: begins behind it', z.string().min(1).optional()),
  },
  headers: {
    'Last-Event-ID': parameter('as `after`, which it goes before: browsers send it', z.string().min(1).optional()),
  },
  answers: [
    text(
      'first `event: open` with an `id`; then each event has an `id`, `event: event`, and the stored event in `data`; `event: note` tells of unknown names',
      'text/event-stream',
    ),
  ],
}

export const showState: Call = {
  id: 'showState',
  group: 'streams',
  summary: 'Whether a stream is ON',
  answers: [json(z.object({ state: oneOrZero }))],
}

export const postEvents: Call = {
  id: 'postEvents',
  group: 'streams',
  summary: 'One event; with the content type of NDJSON one a line',
  headers: {
    'ce-specversion': parameter(
      '1.0: the body is the data of a CloudEvent, whose other attributes are headers',
      // Generators of clients know no literal in a header.
      z.string().optional(),
    ),
    'Idempotency-Key': parameter('a repeat within 24 hours gets the first answer', z.string().min(1).optional()),
  },
  body: {
    contents: [
      json(eventOnWire),
      ndjson(eventOnWire, 'an event a line'),
      text('a CloudEvent in the JSON format', 'application/cloudevents+json'),
      text('a list of CloudEvents', 'application/cloudevents-batch+json'),
    ],
  },
  answers: [json(z.union([z.object({ errcode: success, _pk: instant, error: notes }), linesTaken]))],
  refuses: ['off', 'conflict', 'reused'],
}

const aim = { ostm: z.string().optional(), notf: count.optional() }
const ruleShown = z.object({ name: z.string(), type: z.int().min(1).max(6), rstm: z.string().optional(), ...aim })

export const dependencies: Call = {
  id: 'dependencies',
  group: 'streams',
  summary: 'How the streams of a schema hang together',
  query: {
    details: parameter(
      '1: each stream has its state too, and all that it feeds or asks: plain filters, entities, relations and nodes of the graph, models',
      z.literal(['0', '1']).optional(),
    ),
  },
  answers: [
    json(
      z.object({
        schema: z.string(),
        graph: z
          .string()
          .optional()
          .meta({ description: 'with `details`: the graph that relations and nodes of the streams go into' }),
        node_info: z.array(
          z.object({
            node: z.string(),
            type: kind,
            parent: z.array(z.string()),
            children: z.array(z.string()),
            joins: z.array(ruleShown).optional(),
            patterns: z.array(ruleShown).optional(),
            references: z.array(z.object({ name: z.string(), rstm: z.string(), iatr: z.array(z.string()) })).optional(),
            sessions: z
              .array(z.object({ name: z.string(), session: z.number(), smax: z.number(), ...aim }))
              .optional()
              .meta({ description: 'of group-bys and entities, by their keys' }),
            filters: z
              .array(z.object({ name: z.string(), ...aim }))
              .optional()
              .meta({ description: 'filters with a condition over a moving time; with `details` all filters' }),
            state: oneOrZero.optional(),
            entities: z.array(z.object({ name: z.string(), rstm: z.string(), ratr: z.array(z.string()) })).optional(),
            relations: z.array(z.object({ sub: z.string(), rel: z.string(), obj: z.string() })).optional(),
            nodes: z.array(z.object({ sub: z.string(), label: z.string() })).optional(),
            predictions: z
              .array(z.object({ attr: z.string(), model: z.string(), algo: z.string().optional() }))
              .optional()
              .meta({ description: 'attributes that a model fills' }),
          }),
        ),
      }),
    ),
  ],
}

export const uploadEvents: Call = {
  id: 'uploadEvents',
  group: 'streams',
  summary: "Writes a stream's last events as a training file",
  query: consistency,
  body: { contents: [json(uploadOnWire)] },
  answers: [json(z.object({ msg: z.string(), num_lines: count, file_size_bytes: count, error: notes }))],
  refuses: ['conflict'],
}
