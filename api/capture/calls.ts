import { z } from 'zod'
import { precisions } from '../../activities/capture/write-lines.ts'
import { anyObject, type Call, count, json, parameter, text } from '../http/call.ts'
import { linesTaken } from '../streams/calls.ts'

export const writeLines: Call = {
  id: 'writeLines',
  group: 'hooks',
  summary: 'Points in InfluxDB’s line protocol, as its clients and Telegraf write them',
  query: {
    bucket: parameter('a stream as `schema.stream`, or a schema whose streams the measurements name'),
    org: parameter('is not read', z.string().optional()),
    precision: parameter('the unit of times; ns', z.enum(Object.keys(precisions)).optional()),
  },
  body: { contents: [text('lines, such as `load,host=a value=0.5 1793491200000000000`')] },
  answers: [],
  also: { '204': { says: 'all points are on the disk' } },
  refuses: ['denied', 'forbidden', 'missing', 'off', 'conflict'],
  refusal: {
    line: count.optional().meta({ description: 'the first line that is refused' }),
    accepted: count.optional(),
    rejected: count.optional(),
    errors: linesTaken.shape.errors.optional(),
  },
}

const taken = {
  accepted: count,
  repeated: count.optional().meta({ description: 'events, counted in `accepted`, whose id was there before' }),
  rejected: count,
  errors: linesTaken.shape.errors.meta({ description: '`line` counts the events of the request' }),
}
const refuses = ['denied', 'forbidden', 'missing', 'off', 'conflict'] as const

export const segmentMessages: Call = {
  id: 'segmentMessages',
  group: 'hooks',
  summary: 'Messages of Segment’s clients',
  parameters: 'any',
  body: { contents: [json(anyObject)] },
  answers: [json(z.object({ success: z.boolean(), ...taken }))],
  refuses,
}

const postHog = (id: string): Call => ({
  id,
  group: 'hooks',
  summary: 'Events of PostHog’s clients',
  parameters: 'any',
  body: {
    contents: [
      json(z.union([anyObject, z.array(anyObject)])),
      text('a form whose field `data` has the JSON in base64', 'application/x-www-form-urlencoded'),
    ],
  },
  answers: [json(z.object({ status: z.literal(1), ...taken }))],
  refuses,
})
export const postHogEvents: Readonly<Record<string, Call>> = {
  '/batch': postHog('postHogBatch'),
  '/capture': postHog('postHogCapture'),
  '/e': postHog('postHogEvent'),
  '/i/v0/e': postHog('postHogIngest'),
}

const flags = (id: string): Call => ({
  id,
  group: 'hooks',
  summary: 'The flags that PostHog’s clients ask for as they start: there are none',
  parameters: 'any',
  body: { contents: [json(anyObject)], isOptional: true },
  answers: [json(anyObject)],
})
export const postHogFlags: Readonly<Record<string, Call>> = {
  '/flags': flags('postHogFlags'),
  '/decide': flags('postHogDecide'),
}

export const snowplowEvents: Call = {
  id: 'snowplowEvents',
  group: 'hooks',
  summary: 'Events of Snowplow’s trackers',
  parameters: 'any',
  body: { contents: [json(z.object({ schema: z.string().optional(), data: z.array(anyObject) }))] },
  answers: [text('ok')],
  refuses,
}
