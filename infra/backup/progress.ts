/** Times are microseconds since 1970. */
export type BackupProgress = {
  readonly state: 'none' | 'taking' | 'sending' | 'done' | 'failed'
  readonly started?: number
  readonly ended?: number
  /** Bytes of the archive that are sent, and those of its files; its list of them comes on top. */
  readonly sent_bytes?: number
  readonly total_bytes?: number
}

/** How the latest backup of this process stands: one at a time. */
export function createBackupProgress(now_us: () => number) {
  let progress: BackupProgress = { state: 'none' }
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
