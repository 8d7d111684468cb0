import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'

/** Files and folders that are written at each start, or soon after. */
const written = [
  '',
  'clickhouse',
  'clickhouse/metadata',
  'clickhouse/store',
  'clickhouse/status',
  'clickhouse/uuid',
  'log',
  'log/log.mdb',
  'log/log.mdb-lock',
  'log/clock',
  'buckets',
]

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file stands where a folder should be',
  ENOSPC: 'no space is left on its disk',
}

/** Makes the folder where it is absent. Throws, with the file and the user, where this process may not write there. */
export function needAccess(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw noAccess(folder, error)
  }
  for (const name of written) {
    const path = join(folder, name)
    if (!existsSync(path)) continue
    try {
      const isFolder = statSync(path).isDirectory()
      accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0))
    } catch (error) {
      throw noAccess(path, error)
    }
  }
}

function noAccess(path: string, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  const why = reasons[code] ?? 'it cannot be used'
  const me = process.getuid ? `, and this process runs as uid ${process.getuid()}` : ''
  return new Error(
    `DATA_DIR cannot be written: ${why} (${code}) at ${path}${ownerOf(path)}${me}; give that user the folder and all in it, or set DATA_DIR to another one`,
    { cause },
  )
}

function ownerOf(path: string): string {
  try {
    const { uid, mode } = statSync(path)
    return `, which belongs to uid ${uid} (mode ${(mode & 0o777).toString(8)})`
  } catch {
    return ''
  }
}

/** 200 schemas take some 1,300 handles, and each client one. */
const fewHandles = 4096

/** Warns where the system gives this process few handles of files and connections. */
export function warnOfFewHandles(logger: Logger): void {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return
  }
  const handles = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  if (handles < fewHandles) {
    logger.warn(
      { handles, wanted: fewHandles },
      'few files and connections may be open at once: raise the limit (ulimit -n, LimitNOFILE)',
    )
  }
}
