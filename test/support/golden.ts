import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'

const update = process.env['UPDATE_GOLDEN'] === '1'

/** Compares a text with a file that was read by eye; `UPDATE_GOLDEN=1` writes the file anew. */
export function matchesGolden(t: ExecutionContext, text: string, file: URL): void {
  const path = fileURLToPath(file)
  if (update) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  if (!existsSync(path)) return t.fail(`${path} is missing: UPDATE_GOLDEN=1 writes it`)
  t.is(text, readFileSync(path, 'utf8'), `differs from ${path}; if it is meant, UPDATE_GOLDEN=1 writes it anew`)
}
