import { z } from 'zod'
import { algorithms, encodings, hookOnWire, schemes } from '../../sql/hook/definition.ts'
import { anyObject, type Call, count, dry, instant, json, notes, success, text } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { linesTaken } from '../streams/calls.ts'

const shown = z.object({
  name: z.string(),
  into: z.string(),
  verify: z.object({
    scheme: z.enum(schemes),
    tolerance_s: count.optional(),
    header: z.string().optional(),
    algorithm: z.enum(algorithms).optional(),
    encoding: z.enum(encodings).optional(),
    prefix: z.string().optional(),
    timestamp: z.string().optional(),
    signed: z.string().optional(),
  }),
  description: z.string().optional(),
  map: hookOnWire.shape.map,
  id: hookOnWire.shape.id,
  time: hookOnWire.shape.time,
  num_secrets: count,
  changed: instant,
  by: z.string(),
})

export const putHook: Call = {
  id: 'putHook',
  group: 'hooks',
  summary: 'Makes a door for the signed webhooks of a sender, or changes it',
  query: dry,
  body: { contents: [json(hookOnWire)] },
  answers: [json(z.object({ errcode: success, msg: z.string(), error: notes, dry: count.optional() }))],
  refuses: ['missing', 'conflict'],
}

export const listHooks: Call = {
  id: 'listHooks',
  group: 'hooks',
  summary: 'The doors for signed webhooks into streams that the key may read',
  query: pages(),
  list: { member: 'hooks', key: ['name'], order: 'up' },
  answers: [json(z.object({ hooks: z.array(shown), num_hooks: count, cursor: nextCursor, errcode: success }))],
}

const verdicts = [
  ...(['accepted', 'repeated', 'challenge', 'refused', 'failed'] as const),
  ...(['unsigned', 'wrong_signature', 'too_old', 'too_far_ahead'] as const),
]

export const describeHook: Call = {
  id: 'describeHook',
  group: 'hooks',
  summary: 'A door for signed webhooks, and the latest deliveries to this process, newest first',
  query: pages(120),
  list: { member: 'deliveries', key: ['ts'], max: 120 },
  answers: [
    json(
      shown.extend({
        deliveries: z.array(
          z.object({
            ts: instant,
            verdict: z.enum(verdicts),
            bytes: count.optional(),
            accepted: count.optional(),
            rejected: count.optional(),
            repeated: count.optional(),
            error: z.string().optional(),
          }),
        ),
        num_deliveries: count.meta({ description: 'all since `since`' }),
        since: instant,
        cursor: nextCursor,
        errcode: success,
      }),
    ),
  ],
  refuses: ['missing'],
}

export const deleteHook: Call = {
  id: 'deleteHook',
  group: 'hooks',
  summary: 'Deletes a door for signed webhooks; its events stay',
  query: dry,
  answers: [json(z.object({ errcode: success, msg: z.string(), dry: count.optional() }))],
  refuses: ['missing'],
}

export const deliver: Call = {
  id: 'deliver',
  group: 'hooks',
  summary: 'A delivery of the sender, whose signature stands in the place of a key',
  body: {
    contents: [
      json(z.union([anyObject, z.array(anyObject)])),
      text('a form; its field `payload` is the JSON where it has one', 'application/x-www-form-urlencoded'),
    ],
  },
  answers: [json(z.union([linesTaken, z.object({ challenge: z.string() })]))],
  refuses: ['denied', 'missing', 'off', 'conflict'],
}
