import { z } from 'zod'

/** The version of the archive's and the manifest's format; a backup of another one is refused. */
export const backupFormat = 1
export const manifestName = 'manifest.json'
export const archiveName = 'data.tar'
/** Data folders hold these. */
const parts = ['clickhouse', 'log', 'buckets'] as const

/** Below one of the parts, and nowhere else: `a/../b` is in no manifest of ours. A folder without files ends with "/". */
const path = z.string().refine(
  (text) =>
    parts.some((part) => text.startsWith(`${part}/`)) &&
    !text.includes('\0') &&
    text
      .replace(/\/$/, '')
      .split('/')
      .every((segment) => segment !== '' && segment !== '.' && segment !== '..'),
  'must be below clickhouse, log or buckets',
)

const file = z.object({
  path,
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** In an increment and in the copy before it: the identity of the file, so that an unchanged file is not sent again. */
  mark: z.string().optional(),
})

const manifest = z.object({
  weir_backup: z.literal(backupFormat),
  /** The version of the Weir that wrote the backup. */
  version: z.string(),
  /** Microseconds since 1970. */
  taken: z.int(),
  /** Whether the buckets are in it; buckets in S3 are not. */
  buckets: z.enum(['here', 'S3']),
  files: z.array(file),
  /** Of an increment: the copy before it, and which files of that are gone. All other files of it are in this one, too. */
  since: z.string().optional(),
  gone: z.array(path).optional(),
})

export type BackupFile = z.infer<typeof file>
export type Manifest = Readonly<z.infer<typeof manifest>>

/** The reason why a folder, or an archive that a service sent, cannot be used as a backup. */
export class BackupError extends Error {}

/** The reason why a folder cannot take a backup, or a data folder: it holds something. */
export class FolderError extends BackupError {}

/** The last entry of an archive that could not be ended, with the reason. */
export const failureName = 'failed'

export function parseManifest(text: string): Manifest {
  const found = manifest.safeParse(jsonOf(text))
  if (found.success) return found.data
  const [issue] = found.error.issues
  throw new BackupError(
    `the manifest is not one of this version (format ${backupFormat}): ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
