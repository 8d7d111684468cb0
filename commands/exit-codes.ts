import { BackupError, FolderError } from '../infra/backup/manifest.ts'
import { hasCode } from '../infra/buckets/folder/faults.ts'

/** The arguments of a command are no good. */
export class UsageError extends Error {}

/** How commands about backups end, so that what calls them knows what to do. */
export const exitCodes = { other: 1, usage: 2, damaged: 3, folder: 4, full: 5, leftOut: 6 } as const

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof FolderError) return exitCodes.folder
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (hasCode(cause, 'ENOSPC', 'EDQUOT')) return exitCodes.full
  }
  return error instanceof BackupError ? exitCodes.damaged : exitCodes.other
}

/** Ends the process by the code that the work resolves to, or by that of its error, which it tells. */
export function run(work: () => Promise<number>): void {
  work().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exit(exitCodeOf(error))
    },
  )
}
