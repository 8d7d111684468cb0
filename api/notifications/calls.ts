import { z } from 'zod'
import { notificationOnWire, notificationStateOnWire } from '../../sql/notification/decode.ts'
import { type Call, count, instant, json, notes, strict, success } from '../http/call.ts'

const acknowledged = z.object({ errcode: success, msg: z.string() })

export const registerNotification: Call = {
  id: 'registerNotification',
  group: 'notifications',
  summary: 'Registers a template, or replaces the one of its notifid',
  query: strict,
  body: { contents: [json(notificationOnWire)] },
  answers: [json(acknowledged.extend({ error: notes, secret: z.string().optional() }))],
  refuses: ['conflict'],
}

export const setNotificationState: Call = {
  id: 'setNotificationState',
  group: 'notifications',
  summary: 'Pauses a template, goes on with it, or removes it',
  body: { contents: [json(notificationStateOnWire)] },
  answers: [json(acknowledged)],
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
  answers: [json(z.object({ deliveries: z.array(delivery), num_deliveries: count, errcode: success }))],
}
