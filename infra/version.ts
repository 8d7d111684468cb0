import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const ours = z.object({ name: z.literal('weir'), version: z.string() })
const built = z.object({ commit: z.string().min(1) })

/** The version in Weir's package.json: the first above this file, which may be a source or its build. */
export function version(): string {
  for (const folder of foldersAbove()) {
    const file = new URL('package.json', folder)
    const read = existsSync(file) ? ours.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
    if (read?.success) return read.data.version
  }
  return 'unknown'
}

/** The commit that was built, which stands beside the build; undefined where it is not known, and for the sources. */
export function commit(): string | undefined {
  for (const folder of foldersAbove()) {
    const file = new URL('commit.json', folder)
    const read = existsSync(file) ? built.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
    if (read?.success) return read.data.commit
  }
  return undefined
}

/** The version, with its commit where that is known. */
export function release(): string {
  const of = commit()
  return of === undefined ? version() : `${version()} (${of})`
}

function* foldersAbove(): Iterable<URL> {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) yield folder
}
