import type { DeliveryLists } from '../../activities/notifications/delivery/lists.ts'
import type { Retries } from '../../activities/notifications/delivery/retries.ts'
import type { Templates } from '../../activities/notifications/templates.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { createRoutes, define, type Routes, read } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { isDry, isStrict } from '../http/flags.ts'
import { notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'

export type NotificationRoutesDeps = {
  readonly templates: Templates
  readonly lists: DeliveryLists
  readonly retry: Retries
  readonly changing: Audited
  readonly bodyLimit: number
}

/** The audit record of a change, written once the request is found good. */
function changeOf(wire: Json, detail: string): AuditedChange {
  const { notifid } = isObject(wire) ? wire : {}
  return { what: 'notification', name: String(notifid).slice(0, 40), detail }
}

/** Templates of notifications, and their deliveries. */
export function notificationRoutes({ templates, lists, retry, changing, bodyLimit }: NotificationRoutesDeps): Routes {
  const routes = createRoutes()

  routes.post('/db/notification/register', define('everywhere'), calls.registerNotification, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the notification'), 'the notification')
    const notes = createNotes()
    const sent = templates.decode(wire, notes)
    if (isStrict(context.query)) notes.refuseUnknown()
    if (isDry(context.query)) {
      const { notifid, isReplaced } = await templates.tryRegister(sent)
      const msg = `notification ${notifid} would be ${isReplaced ? 'replaced' : 'registered'}`
      context.body = { errcode: 0, dry: 1, msg, ...notesIn(notes) }
      return
    }
    const register = () => templates.register(sent)
    const { notifid, isReplaced, secret } = await changing(context, changeOf(wire, 'registered'), register)
    const msg = `notification ${notifid} is ${isReplaced ? 'replaced' : 'registered'}`
    context.body = { errcode: 0, msg, ...notesIn(notes), ...(secret !== undefined && { secret }) }
  })

  routes.post('/db/notification/state', define('everywhere'), calls.setNotificationState, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the state'), 'the state')
    const { state } = isObject(wire) ? wire : {}
    const change = changeOf(wire, `state ${String(state).slice(0, 20)}`)
    const { notifid, state: now, msg } = await changing(context, change, () => templates.setState(wire))
    context.body = { errcode: 0, msg, notifid, state: now }
  })

  routes.get('/db/notification/:notification/deliveries', read('everywhere'), calls.listDeliveries, async (context) => {
    context.body = { ...(await lists.of(parameter(context, 'notification'))), errcode: 0 }
  })

  routes.post(
    '/db/notification/:notification/deliveries/retry',
    define('everywhere'),
    calls.retryDelivery,
    async (context) => {
      const wire = parseJson(await readText(context, bodyLimit, 'the delivery'), 'the delivery')
      const notifid = parameter(context, 'notification')
      const { id } = isObject(wire) ? wire : {}
      const change = changeOf({ notifid }, `${String(id).slice(0, 60)} tried again`)
      context.body = { errcode: 0, msg: await changing(context, change, () => retry(notifid, wire)) }
    },
  )

  return routes
}
