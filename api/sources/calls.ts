import { z } from 'zod'
import { sourceOnWire } from '../../activities/sources/definition.ts'
import { type Call, count, dry, force, instant, json, success } from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'

const { kafka, registry } = sourceOnWire.shape

/** A source as lists show it: without its secrets. */
const inList = z.object({
  ...sourceOnWire.shape,
  name: z.string(),
  kafka: kafka.extend({ sasl: kafka.shape.sasl.unwrap().omit({ password: true }).optional() }),
  registry: registry.unwrap().omit({ password: true }).optional(),
  state: z.enum(['running', 'waiting', 'failing', 'off']),
  reason: z.string().optional().meta({ description: 'why it waits or fails; it goes on by itself' }),
  since: instant.optional().meta({ description: 'since when it waits or fails' }),
  lag: count.meta({ description: 'messages of the topic that are still to come' }),
  accepted: count,
  repeated: count.optional().meta({ description: 'events, counted in `accepted`, whose `_id` was there before' }),
  rejected: count.meta({ description: 'messages that are no event of the stream' }),
  skipped: count.optional().meta({ description: 'messages without an event, such as tombstones' }),
  lost: count.optional().meta({ description: 'messages that the topic deleted before they came' }),
  brought: instant.optional().meta({ description: 'when the latest events came' }),
  changed: instant,
  by: z.string(),
})

const shown = inList.extend({
  partitions: z.array(
    z.object({
      partition: count,
      next: count.meta({ description: 'the offset of the next message to come' }),
      end: count.meta({ description: 'the offset behind the last message, as the broker said last' }),
      lag: count,
      message: instant.optional().meta({ description: 'the timestamp of the last message' }),
    }),
  ),
  errors: z
    .array(z.object({ partition: count, offset: count, error: z.string() }))
    .max(20)
    .meta({ description: 'the latest messages that were refused' }),
  notes: z
    .array(z.string())
    .max(20)
    .meta({ description: 'what became of messages that could not come, or may have come twice' }),
})

const done = z.object({ errcode: success, msg: z.string(), dry: count.optional() })

export const putSource: Call = {
  id: 'putSource',
  group: 'sources',
  summary: "Brings the messages of a topic of somebody else's Kafka to a stream, from now on; or changes how",
  query: dry,
  body: { contents: [json(sourceOnWire)] },
  answers: [json(done)],
  refuses: ['missing', 'conflict'],
}

export const listSources: Call = {
  id: 'listSources',
  group: 'sources',
  summary: 'The topics of others that become events of streams that the key may read',
  query: pages(),
  list: { member: 'sources', key: ['name'], order: 'up' },
  answers: [json(z.object({ sources: z.array(inList), num_sources: count, cursor: nextCursor, errcode: success }))],
}

export const describeSource: Call = {
  id: 'describeSource',
  group: 'sources',
  summary: 'How far a source is, partition by partition, and the messages that it refused',
  answers: [json(shown.extend({ errcode: success }))],
  refuses: ['missing'],
}

export const turnSource: Call = {
  id: 'turnSource',
  group: 'sources',
  summary:
    'Turns a source ON or OFF; it goes on where it was, with force also without a process that is away amid a batch',
  query: force,
  answers: [json(done)],
  refuses: ['missing', 'conflict'],
}

export const deleteSource: Call = {
  id: 'deleteSource',
  group: 'sources',
  summary: 'Deletes a source; its events stay',
  query: dry,
  answers: [json(done)],
  refuses: ['missing'],
}
