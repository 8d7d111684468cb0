// A copy of the repository in which mutants live: the working tree stays as it is.

import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root, run } from '../processes/run.js'

/** Made anew in the copy, or not needed in it. */
const left = new Set(['node_modules', 'dist', '.dev', '.tests', '.git', 'data'])

/** @typedef {import('./place.js').Place} Place */

/** @returns {{ folder: string, mutate(place: Place): () => void }} `mutate` answers with how to undo it */
export function createCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-mutate-'))
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(relative(root, path)) })
  // Linked file by file where both are on one disk: a symbolic link would lead what is imported back to the original.
  const packages = join(root, 'node_modules')
  if (run('cp', ['-al', packages, folder]) !== 0) cpSync(packages, join(folder, 'node_modules'), { recursive: true })
  return {
    folder,
    mutate({ file, start, end, put }) {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.slice(0, start) + put + text.slice(end))
      return () => writeFileSync(path, text)
    },
  }
}
