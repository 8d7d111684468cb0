import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { saveBackup } from '../infra/backup/save-backup.ts'
import { readConfig } from '../infra/config.ts'
import { serviceUrl } from './asked-service.ts'
import { run, UsageError } from './exit-codes.ts'

const usage = `npm run backup -- <folder>

Writes a copy of all data of a running service into a folder, which must be empty or absent. It asks WEIR_URL, else the
service on HOST and PORT, with ADMIN_KEY. npm run restore -- <folder> makes a data folder of it.

It ends with 0; 2: arguments; 3: what came is no whole backup, or a part is damaged; 4: the folder is not empty; 5: its
disk is full; 1: anything else.
`

const refusal = z.object({ error: z.array(z.string()).optional() })

async function askService(url: string): Promise<Readable> {
  const { ADMIN_KEY } = process.env
  const headers: Record<string, string> = ADMIN_KEY ? { 'x-api-key': ADMIN_KEY } : {}
  const response = await fetch(new URL('/backup', url), { method: 'POST', headers }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(`${url} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  if (response.status === 200 && response.body) return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  const { error } = refusal.catch({}).parse(await response.json().catch(() => ({})))
  const hint = response.status === 401 ? '; set ADMIN_KEY to the one that the service was started with' : ''
  throw new Error(`${url} answered ${response.status}: ${error?.join('; ') ?? 'which is no answer of Weir'}${hint}`)
}

async function main(): Promise<number> {
  const [folder, more] = process.argv.slice(2)
  if (folder === undefined || more !== undefined || folder.startsWith('-')) throw new UsageError(usage)
  const url = serviceUrl(readConfig(process.env))
  const began = performance.now()
  const { manifest, bytes } = await saveBackup(folder, () => askService(url))
  const inS3 = manifest.buckets === 'S3' ? '; the buckets are in S3 and not in it' : ''
  process.stdout.write(
    `${folder}: ${manifest.files.length} files, ${bytes} bytes, ${((performance.now() - began) / 1000).toFixed(1)} s${inS3}\n`,
  )
  return 0
}

run(main)
