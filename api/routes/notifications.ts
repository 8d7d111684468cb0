import type { Notifications } from '../../activities/notifications/notifications.ts'
import { isObject, type Json, parseJson } from '../../infra/json.ts'
import { readText } from '../decode/body.ts'
import * as calls from '../describe/calls/notifications.ts'
import type { Changed, Changing } from '../gate/changes.ts'
import { createRoutes, define, type Routes } from '../gate/routes.ts'

export type NotificationRoutesDeps = {
  readonly notifications: Notifications
  readonly changing: Changing
  readonly bodyLimit: number
}

/** What is written down once the wire is found good. */
function changeOf(wire: Json, detail: string): Changed {
  const { notifid } = isObject(wire) ? wire : {}
  return { what: 'notification', name: String(notifid).slice(0, 40), detail }
}

/** Definitions of notifications: interface 4.16. */
export function notificationRoutes({ notifications, changing, bodyLimit }: NotificationRoutesDeps): Routes {
  const routes = createRoutes()

  routes.post('/db/notification/register', define('everywhere'), calls.registerNotification, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the notification'), 'the notification')
    const change = changeOf(wire, 'registered')
    context.body = { errcode: 0, msg: await changing(context, change, () => notifications.register(wire)) }
  })

  routes.post('/db/notification/state', define('everywhere'), calls.setNotificationState, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the state'), 'the state')
    const { state } = isObject(wire) ? wire : {}
    const change = changeOf(wire, `state ${String(state).slice(0, 20)}`)
    context.body = { errcode: 0, msg: await changing(context, change, () => notifications.setState(wire)) }
  })

  return routes
}
