import { z } from 'zod'
import { deliveryNameOnWire, notificationOnWire, notificationStateOnWire } from '../../sql/notification/decode.ts'
import {
  anyObject,
  type Call,
  count,
  dry,
  instant,
  json,
  notes,
  parameter,
  strict,
  success,
  type Webhook,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'

const acknowledged = z.object({ errcode: success, msg: z.string() })

export const registerNotification: Call = {
  id: 'registerNotification',
  group: 'notifications',
  summary: 'Registers a template, or replaces the one of its notifid',
  query: { ...dry, ...strict },
  body: { contents: [json(notificationOnWire)] },
  answers: [json(acknowledged.extend({ error: notes, secret: z.string().optional(), dry: z.literal(1).optional() }))],
  refuses: ['conflict'],
}

export const setNotificationState: Call = {
  id: 'setNotificationState',
  group: 'notifications',
  summary: 'Pauses a template, goes on with it, or removes it',
  body: { contents: [json(notificationStateOnWire)] },
  answers: [json(acknowledged.extend({ notifid: z.int(), state: z.int() }))],
  refuses: ['conflict'],
}

const delivery = z.object({
  id: z.string(),
  endpoint: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  tries: count,
  status: z.int().nullable(),
  error: z.string().nullable(),
  next_try: instant.nullable(),
})

export const listDeliveries: Call = {
  id: 'listDeliveries',
  group: 'notifications',
  summary: 'The last hundred deliveries of a template, newest first',
  query: pages(),
  list: { member: 'deliveries', key: ['id', 'endpoint'] },
  answers: [
    json(z.object({ deliveries: z.array(delivery), num_deliveries: count, errcode: success, cursor: nextCursor })),
  ],
}

export const retryDelivery: Call = {
  id: 'retryDelivery',
  group: 'notifications',
  summary: 'Tries one delivery now, one that waits or has failed for good',
  body: { contents: [json(deliveryNameOnWire)] },
  answers: [json(acknowledged)],
  refuses: ['conflict'],
}

/** A template's members, its own ones among them, and those of the send. */
const send = notificationOnWire
  .omit({ secret: true })
  .extend({
    id: z.string().meta({ description: 'the id of the send, as in webhook-id' }),
    ts: instant,
    notif_event: anyObject.meta({ description: 'the last event that matched' }),
    notif_events: z.array(anyObject).optional().meta({
      description:
        'where the template has freq: the latest 100 events since the last send, of 64,000 characters at most',
    }),
    count: count.meta({ description: 'matches since the last send' }),
    dur: z.number().meta({ description: 'seconds from the first to the last of them' }),
    count_this_notif: count.meta({ description: 'matches since the template was registered' }),
  })
  .catchall(z.unknown())
  .meta({ id: 'Send' })

export const deliverSend: Webhook = {
  id: 'deliverSend',
  group: 'notifications',
  summary: 'Tells an endpoint of a template that events have matched',
  headers: {
    'webhook-id': parameter('the id of the send: the same at each try'),
    'webhook-timestamp': parameter('the time of this try, in seconds since 1970'),
    'webhook-signature': parameter('v1, a comma, and the base64 of HMAC-SHA256 of "id.timestamp.body" by the secret'),
  },
  body: send,
  success: 'any 2xx within 15 seconds; else the delivery is tried again, for 24 hours',
}
