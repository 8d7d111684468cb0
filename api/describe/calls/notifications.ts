import { z } from 'zod'
import { notificationOnWire, notificationStateOnWire } from '../../../sql/notification/decode.ts'
import { type Call, json, success } from '../call.ts'

const told = z.object({ errcode: success, msg: z.string() })

export const registerNotification: Call = {
  id: 'registerNotification',
  group: 'notifications',
  summary: 'Registers a template, or replaces the one of its notifid',
  body: { contents: [json(notificationOnWire)] },
  answers: [json(told)],
  refuses: ['conflict'],
}

export const setNotificationState: Call = {
  id: 'setNotificationState',
  group: 'notifications',
  summary: 'Pauses a template, goes on with it, or removes it',
  body: { contents: [json(notificationStateOnWire)] },
  answers: [json(told)],
  refuses: ['conflict'],
}
