import type { Audit } from '../activities/audit/audit.ts'
import type { Deletions } from '../activities/undo/deletions.ts'
import type { Logger } from '../infra/logger.ts'

export type DeletionRemovalDeps = {
  readonly deletions: Pick<Deletions, 'removeOld'>
  readonly audit: Pick<Audit, 'record'>
  readonly logger: Logger
  readonly look_ms?: number
}

const usualLook_ms = 60_000

/** Removes for good the deleted things whose time to be brought back is over, and records each. */
export function createDeletionRemoval({ deletions, audit, logger, look_ms = usualLook_ms }: DeletionRemovalDeps) {
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function look(): Promise<void> {
    for (const { kind, name } of await deletions.removeOld()) {
      const detail = 'removed for good: its time to be undeleted is over'
      const [schema = '', stream = ''] = name.split('.')
      const change =
        kind === 'stream'
          ? ({ what: 'schema', name: schema, detail: `stream ${stream} ${detail}` } as const)
          : { what: kind, name, detail }
      await audit.record({ by: 'weir', ...change })
      logger.info({ kind, name }, 'a deleted thing was removed for good, its time to be undeleted is over')
    }
  }

  function plan(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => logger.warn({ err: error }, 'deleted things not removed for good, retrying'))
        .then(plan)
    }, look_ms).unref()
  }

  return {
    open: plan,
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await looking
    },
  }
}
