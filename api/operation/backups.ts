import type { Backups } from '../../infra/backup/backups.ts'
import type { Logger } from '../../infra/logger.ts'
import { admin, createRoutes, type Routes } from '../auth/routes.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import * as calls from './calls.ts'

export type BackupRoutesDeps = { readonly backups: Backups; readonly logger: Logger }

/**
 * A copy of all data, sent to the client that asks: so no client writes anywhere on the server, and it may be far away.
 */
export function backupRoutes({ backups, logger }: BackupRoutesDeps): Routes {
  const routes = createRoutes()
  routes.post('/backup', admin, calls.takeBackup, async (context) => {
    const archive = await backups.take()
    if (context.res.destroyed) {
      archive.destroy()
      return
    }
    streamAnswer(context, archive, logger)
    context.type = 'application/x-tar'
  })

  routes.get('/backup', admin, calls.backupProgress, (context) => {
    context.body = backups.progress()
  })

  return routes
}
