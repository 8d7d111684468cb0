import { restoreBackup } from '../infra/backup/restore-backup.ts'
import { readConfig } from '../infra/config.ts'

const usage = `npm run restore -- <folder>

Makes DATA_DIR, which must be empty or absent, of a backup that npm run backup wrote into the folder.
`

async function main(): Promise<void> {
  const [folder, more] = process.argv.slice(2)
  if (folder === undefined || more !== undefined || folder.startsWith('-')) throw new Error(usage)
  const { DATA_DIR } = readConfig(process.env)
  const { taken, files, buckets } = await restoreBackup(folder, DATA_DIR)
  const inS3 = buckets === 'S3' ? '; its buckets are in S3: start with the same S3_ENDPOINT' : ''
  process.stdout.write(`${DATA_DIR}: ${files.length} files as of ${new Date(taken / 1000).toISOString()}${inS3}\n`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
