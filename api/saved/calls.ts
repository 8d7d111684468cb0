import { z } from 'zod'
import { worstStates } from '../../activities/saved/watch/store.ts'
import { languages, parameterOnWire, questionOnWire } from '../../sql/saved/definition.ts'
import { formats, scheduleOnWire } from '../../sql/saved/schedule.ts'
import { watchOnWire } from '../../sql/saved/watch.ts'
import {
  anyObject,
  bytes,
  type Call,
  type Content,
  count,
  dry,
  instant,
  json,
  ndjson,
  notes,
  oneOrZero,
  parameter,
  success,
  text,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'

const shown = z.object({
  name: z.string(),
  version: count,
  sql: z.string(),
  language: z.enum(languages),
  db: z.string().optional(),
  description: z.string().optional(),
  cache_s: count,
  params: z.record(z.string(), parameterOnWire),
  watch: watchOnWire.optional(),
  schedule: z.array(scheduleOnWire).optional(),
  changed: instant,
  by: z.string(),
})

const behind = 'absent for a key with fixed values'

const listed = shown.extend({
  sql: shown.shape.sql.optional().meta({ description: behind }),
  language: shown.shape.language.optional().meta({ description: behind }),
  changed: instant.optional().meta({ description: `microseconds since 1970; ${behind}` }),
  by: shown.shape.by.optional().meta({ description: behind }),
  state: z.enum(worstStates).optional().meta({ description: 'with `details`: the worst state of its watch' }),
  next_due: instant.optional().meta({ description: 'with `details`: when its schedules are due next' }),
})

const dueTimes = z.array(z.array(instant)).meta({ description: 'of each entry of `schedule` the next three times' })

export const saveQuestion: Call = {
  id: 'saveQuestion',
  group: 'saved',
  summary: 'Saves a question under a name; a change of it is a new version',
  query: dry,
  body: { contents: [json(questionOnWire)] },
  answers: [
    json(
      z.object({
        errcode: success,
        msg: z.string(),
        version: count,
        error: notes,
        dry: count.optional(),
        due_times: dueTimes.optional(),
      }),
    ),
  ],
  refuses: ['off', 'conflict', 'late'],
}

export const listQuestions: Call = {
  id: 'listQuestions',
  group: 'saved',
  summary: 'The saved questions that the key may ask',
  query: {
    ...pages(),
    details: parameter('1: also how each watch stands, and when a schedule is due next', z.literal('1').optional()),
  },
  list: { member: 'saved', key: ['name'], order: 'up' },
  answers: [json(z.object({ saved: z.array(listed), num_saved: count, cursor: nextCursor, errcode: success }))],
}

const version = {
  version: parameter('its number; absent: the latest', z.string().meta({ type: 'integer', minimum: 1 }).optional()),
}

export const describeQuestion: Call = {
  id: 'describeQuestion',
  group: 'saved',
  summary: 'A saved question, and its versions',
  query: version,
  answers: [
    json(
      shown.extend({
        versions: z.array(z.object({ version: count, at: instant, by: z.string() })),
        due_times: dueTimes.optional(),
        errcode: success,
      }),
    ),
  ],
  refuses: ['missing', 'forbidden'],
}

export const deleteQuestion: Call = {
  id: 'deleteQuestion',
  group: 'saved',
  summary: 'Deletes a saved question, with all its versions',
  query: dry,
  answers: [json(z.object({ errcode: success, msg: z.string(), dry: count.optional() }))],
  refuses: ['missing'],
}

const rows = z.object({
  rows: z.array(anyObject),
  num_items: count,
  more_data_to_come: oneOrZero,
  cursor: z.string().optional(),
  error: notes,
})

const answers: readonly Content[] = [
  json(rows),
  ndjson(anyObject, 'JSONEachRow: a row a line; where rows remain the last line has the cursor'),
  text('CSV, with the names of the columns in the first line', 'text/csv'),
  bytes('Parquet', 'application/vnd.apache.parquet'),
  bytes('Arrow', 'application/vnd.apache.arrow.file'),
]

export const maxLimit = 1_000_000

const paging = {
  ...version,
  format: parameter('of the rows; JSON if absent', z.enum(formats).optional()),
  limit: parameter(
    'rows of a page; absent: all',
    z.string().meta({ type: 'integer', minimum: 1, maximum: maxLimit }).optional(),
  ),
  cursor: parameter('of the page before: goes on behind it', z.string().optional()),
}

/** A parameter of the question is named in the address, or in the body. */
export const questionRows: Call = {
  id: 'questionRows',
  group: 'saved',
  summary: 'The rows of a saved question, for values of its parameters',
  query: paging,
  parameters: 'any',
  answers,
  also: { 304: { says: 'the answer is the one whose ETag the request has' } },
  refuses: ['missing', 'off', 'late', 'forbidden'],
}

export const askQuestion: Call = {
  ...questionRows,
  id: 'askQuestion',
  summary: 'The same, with values in the body',
  body: { contents: [json(anyObject)], isOptional: true },
  also: {},
}

export const followQuestion: Call = {
  id: 'followQuestion',
  group: 'saved',
  summary: 'The rows of a saved question, and again whenever they have changed, as server-sent events',
  query: version,
  parameters: 'any',
  answers: [text('`event: answer`, the rows as JSON', 'text/event-stream')],
  refuses: ['missing', 'off', 'late', 'forbidden', 'limited'],
}

export const questionDocument: Call = {
  id: 'questionDocument',
  group: 'saved',
  summary: 'A saved question as a document of OpenAPI',
  query: version,
  answers: [json(anyObject)],
  refuses: ['missing'],
}

const about = z.enum(['key', 'error', 'no_rows']).meta({
  description: 'a key of the answer, an evaluation that failed, or an answer without rows',
})
const anyJson = z.unknown()

const change = z.object({
  about,
  key: anyObject,
  state: z.enum(['inactive', 'pending', 'firing', 'resolved']),
  at: instant,
  value: anyJson,
})

const silence = z.object({
  key: anyObject.meta({ description: 'the alerts whose keys have these values; empty for all' }),
  until: instant,
  why: z.string(),
})

const orchestration = z
  .object({ status: z.enum(['down', 'failing']), by: z.string(), reason: z.string().optional() })
  .optional()
  .meta({ description: 'where Temporal, which calls at the due times, is away' })

export const watchState: Call = {
  id: 'watchState',
  group: 'saved',
  summary: 'The alerts of a watched question, the latest changes of their states, and the silences',
  answers: [
    json(
      z.object({
        name: z.string(),
        at: instant.optional().meta({ description: 'the time of the last evaluation; absent before the first' }),
        took_ms: count.optional(),
        skipped: count.meta({ description: 'times that passed without an evaluation' }),
        problem: z.object({ since: instant, says: z.string() }).optional(),
        orchestration,
        alerts: z.array(
          z.object({
            about,
            key: anyObject,
            state: z.enum(['pending', 'firing', 'resolved']),
            since: instant,
            fired: instant.optional(),
            ceased: instant.optional(),
            resolved: instant.optional(),
            sent: instant.optional(),
            value: anyJson,
          }),
        ),
        num_alerts: count,
        changes: z.array(change),
        silences: z.array(silence),
        errcode: success,
      }),
    ),
  ],
  refuses: ['missing', 'conflict', 'forbidden'],
}

const silenceOnWire = z.object({
  until: z
    .union([z.string(), z.int()])
    .meta({ description: 'a time such as 2026-11-29T12:00:00Z, or microseconds since 1970; one that is past ends it' }),
  key: anyObject
    .optional()
    .meta({ description: 'the alerts whose keys have these values; absent: all of the question' }),
  why: z.string().min(1).max(1000),
})

export const silenceWatch: Call = {
  id: 'silenceWatch',
  group: 'saved',
  summary: 'Sends nothing of alerts of a watched question until a time; their states go on',
  body: { contents: [json(silenceOnWire)] },
  answers: [json(z.object({ errcode: success, msg: z.string() }))],
  refuses: ['missing', 'conflict'],
}

const time = z.union([z.string(), z.int()]).meta({ description: 'as 2026-11-29T12:00:00Z, or microseconds since 1970' })

export const testWatch: Call = {
  id: 'testWatch',
  group: 'saved',
  summary: 'When a watched question would have fired and resolved over stored events; nothing is sent',
  body: {
    contents: [
      json(
        z.object({
          from: time,
          to: time,
          watch: questionOnWire.shape.watch.describe('one to try in place of the saved one'),
          sql: questionOnWire.shape.sql.optional().meta({
            description:
              'a text to try; it takes the rights of saving it, and no question of that name has to be there',
          }),
          db: questionOnWire.shape.db,
          params: questionOnWire.shape.params,
        }),
      ),
    ],
  },
  answers: [
    json(
      z.object({
        name: z.string(),
        evaluations: count,
        from: instant,
        to: instant.meta({ description: 'the time of the last evaluation' }),
        cut: z.string().optional().meta({ description: 'why it ended before the time that was asked for' }),
        changes: z.array(change),
        sends: z.array(
          z.object({ state: z.enum(['firing', 'resolved']), about, key: anyObject, at: instant, value: anyJson }),
        ),
        problems: z.array(z.object({ at: instant, says: z.string() })),
        series: z.array(z.object({ key: anyObject, points: z.array(z.object({ at: instant, value: anyJson })) })),
        errcode: success,
      }),
    ),
  ],
  refuses: ['missing', 'conflict', 'forbidden', 'off', 'late'],
}

const run = z.object({
  schedule: scheduleOnWire,
  due: instant.meta({ description: 'the time that the run is of, or at which it was asked for' }),
  asked: z.boolean().meta({ description: 'whether a client asked for it' }),
  version: count,
  began: instant,
  took_ms: count,
  state: z.enum(['done', 'failed']),
  rows: count.optional(),
  bytes: count.optional(),
  key: z.string().optional().meta({ description: 'of the object that it wrote' }),
  says: z.string().optional().meta({ description: 'why it failed' }),
})

export const scheduleRuns: Call = {
  id: 'scheduleRuns',
  group: 'saved',
  summary: 'The latest 1,000 runs of the schedules of a saved question, newest first',
  query: pages(),
  list: { member: 'runs', key: ['due', 'began'] },
  answers: [
    json(z.object({ runs: z.array(run), num_runs: count, orchestration, errcode: success, cursor: nextCursor })),
  ],
  refuses: ['missing', 'forbidden'],
}

export const runSchedule: Call = {
  id: 'runSchedule',
  group: 'saved',
  summary: 'Runs the schedules of a saved question now, or one of them',
  body: {
    contents: [
      json(
        z.object({
          schedule: z.int().min(0).optional().meta({ description: 'its place in the list, from 0; absent: all' }),
        }),
      ),
    ],
    isOptional: true,
  },
  answers: [json(z.object({ errcode: success, msg: z.string(), due: z.array(instant) }))],
  refuses: ['missing', 'conflict', 'forbidden'],
}
