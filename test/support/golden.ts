import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'

const update = process.env.UPDATE_GOLDEN === '1'

/** Compares a text with a file that was read by eye; `UPDATE_GOLDEN=1` writes the file anew. */
export function matchesGolden(t: ExecutionContext, text: string, file: URL): void {
  const path = fileURLToPath(file)
  if (update) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  t.is<string | undefined, string | undefined>(
    text,
    golden,
    `differs from ${path}; if it is meant, UPDATE_GOLDEN=1 writes it anew`,
  )
}
