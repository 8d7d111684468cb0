import { parseArgs } from 'node:util'
import { timeOf } from '../infra/backup/choose-line.ts'
import { openBackupPlace, s3AccessOf } from '../infra/backup/open-place.ts'
import { restoreBackup } from '../infra/backup/restore-backup.ts'
import { restoreShipped } from '../infra/backup/restore-shipped.ts'
import { readConfig } from '../infra/config.ts'
import { exitCodes, run, UsageError } from './exit-codes.ts'

const usage = `npm run restore -- <folder>
npm run restore -- --from <folder or s3://bucket/prefix> [--to <time>] [--service <id>] [--line <name>]

Makes DATA_DIR, which must be empty or absent, of a backup that npm run backup wrote into the folder; or of what BACKUP_TO
had shipped: the latest state, or all that was acknowledged until a time, such as 2026-11-28T19:00:00Z. S3_ENDPOINT and its
keys say how to reach S3; --service names one of several services that ship to one place, --line one of several data folders of
a service: that which was restored, or that which was backed up.

It ends with 0; 2: arguments; 3: the backup is damaged, or a part of it is missing; 4: DATA_DIR is not empty, or a restore
into it was cut off; 5: the disk is full; 6: restored, but for events that no copy fits; 1: anything else.
`

function requestIn(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        service: { type: 'string' },
        line: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

/** Microseconds since 1970. */
function timeIn(text: string): number {
  const us = /^\d{16}$/.test(text) ? Number(text) : Date.parse(text) * 1000
  if (Number.isNaN(us)) throw new UsageError(`--to: ${text} is no time such as 2026-11-28T19:00:00Z`)
  return us
}

async function main(): Promise<number> {
  const { positionals, values } = requestIn(process.argv.slice(2))
  const [folder, more] = positionals
  const { from, to, service, line } = values
  if ((folder === undefined) === (from === undefined) || more !== undefined) throw new UsageError(usage)
  if (folder !== undefined && (to ?? service ?? line) !== undefined) {
    throw new UsageError('--to, --service and --line go with --from: a backup of npm run backup is of one moment')
  }
  const config = readConfig(process.env)
  if (folder !== undefined) {
    const { taken, files, buckets } = await restoreBackup(folder, config.DATA_DIR)
    tell(`${config.DATA_DIR}: ${files.length} files as of ${timeOf(taken)}${inS3(buckets)}`)
    return 0
  }
  const place = await openBackupPlace(from ?? '', s3AccessOf(config))
  const until_us = to === undefined ? undefined : timeIn(to)
  const request = { place, dataFolder: config.DATA_DIR, to: until_us, service, line }
  const restored = await restoreShipped(request).finally(place.close)
  const { taken, files, buckets, events, until, stoppedAt } = restored
  tell(
    `${config.DATA_DIR}: ${files} files as of ${timeOf(taken)}, and ${events} events until ${timeOf(until ?? taken)}${inS3(buckets)}`,
  )
  if (restored.others.length > 0) {
    tell(`this is of the line ${restored.line}; --line takes another one that is there: ${restored.others.join(', ')}`)
  }
  if (stoppedAt === undefined) return 0
  tell(
    `events from ${timeOf(stoppedAt)} on are left out: a definition was changed then, and no copy was ended since; --to a later time takes a later copy, if there is one`,
  )
  return exitCodes.leftOut
}

const tell = (text: string): unknown => process.stdout.write(`${text}\n`)
const inS3 = (buckets: 'here' | 'S3'): string =>
  buckets === 'S3' ? '; its buckets are in S3: start with the same S3_ENDPOINT' : ''

run(main)
