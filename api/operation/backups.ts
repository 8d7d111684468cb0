import type { Backups } from '../../infra/backup/backups.ts'
import type { Shipping } from '../../infra/backup/shipping.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Audited } from '../auth/audited.ts'
import { admin, createRoutes, type Routes } from '../auth/routes.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import * as calls from './calls.ts'

export type BackupRoutesDeps = {
  readonly backups: Backups
  readonly shipping: Pick<Shipping, 'status'> | undefined
  readonly changing: Audited
  readonly logger: Logger
}

/**
 * A copy of all data, sent to the client that asks: so no client writes anywhere on the server, and it may be far away.
 */
export function backupRoutes({ backups, shipping, changing, logger }: BackupRoutesDeps): Routes {
  const routes = createRoutes()
  routes.post('/backup', admin, calls.takeBackup, async (context) => {
    // A copy of all data and of the hashes of keys leaves the service.
    const change = { what: 'backup', name: 'all', detail: 'taken' } as const
    const archive = await changing(context, change, backups.take)
    if (context.res.destroyed) {
      archive.destroy()
      return
    }
    streamAnswer(context, archive, logger)
    context.type = 'application/x-tar'
  })

  routes.get('/backup', admin, calls.backupProgress, (context) => {
    const shipped = shipping?.status()
    context.body = { ...backups.progress(), ...(shipped && { shipped }) }
  })

  return routes
}
