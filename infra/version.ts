import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const ours = z.object({ name: z.literal('weir'), version: z.string() })

/** The version in Weir's package.json: the first above this file, which may be a source or its build. */
export function version(): string {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    const file = new URL('package.json', folder)
    const read = existsSync(file) ? ours.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
    if (read?.success) return read.data.version
  }
  return 'unknown'
}
