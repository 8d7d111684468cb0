import Router from '@koa/router'
import { parseJson } from '../ingest/json.ts'
import { readText } from '../middleware/body.ts'
import type { Notifications } from '../services/notifications.ts'

export type NotificationRoutesDeps = { readonly notifications: Notifications; readonly bodyLimit: number }

/** Definitions of notifications: interface 4.16. */
export function notificationRoutes({ notifications, bodyLimit }: NotificationRoutesDeps): Router {
  const router = new Router()

  router.post('/db/notification/register', async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the notification'), 'the notification')
    context.body = { errcode: 0, msg: await notifications.register(wire) }
  })

  router.post('/db/notification/state', async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the state'), 'the state')
    context.body = { errcode: 0, msg: await notifications.setState(wire) }
  })

  return router
}
