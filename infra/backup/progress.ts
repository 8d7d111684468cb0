import { z } from 'zod'

/** Times are microseconds since 1970. */
export type BackupProgress = {
  readonly state: 'none' | 'taking' | 'sending' | 'done' | 'failed'
  readonly started?: number
  readonly ended?: number
  /** Bytes of the archive that are sent, and those of its files; its list of them comes on top. */
  readonly sent_bytes?: number
  readonly total_bytes?: number
}

const ended = z.object({
  state: z.enum(['done', 'failed']),
  started: z.number(),
  ended: z.number(),
  sent_bytes: z.number().optional(),
  total_bytes: z.number().optional(),
})

/** How the latest backup of an earlier process ended, as that noted it. */
export function readProgress(text: string | undefined): BackupProgress | undefined {
  return text === undefined ? undefined : (ended.safeParse(JSON.parse(text)).data as BackupProgress | undefined)
}

/** How the latest backup stands: one at a time. `before` is the one of an earlier process. */
export function createBackupProgress(now_us: () => number, before: BackupProgress = { state: 'none' }) {
  let progress = before
  return {
    begin: (): void => {
      progress = { state: 'taking', started: now_us() }
    },
    send: (total_bytes: number): void => {
      progress = { ...progress, state: 'sending', sent_bytes: 0, total_bytes }
    },
    sent: (bytes: number): void => {
      progress = { ...progress, sent_bytes: (progress.sent_bytes ?? 0) + bytes }
    },
    end: (isWhole: boolean): void => {
      progress = { ...progress, state: isWhole ? 'done' : 'failed', ended: now_us() }
    },
    now: (): BackupProgress => progress,
  }
}
