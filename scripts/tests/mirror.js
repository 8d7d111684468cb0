// The tests, and what they import, as JavaScript: a test process that translates TypeScript starts half a second later.
//
// The mirror has each .ts file as .js, its imports' endings rewritten, and every other file as a link to where it is,
// the .ts files too, for the tests that start one as a program. Code finds a file by `import.meta.url` here as well.

import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const program = /(?<!\.d)\.ts$/
const manifestName = '.translated.json'

/** Makes the mirror what the sources are. Files that have not changed since the last time are left alone.
 * @param {object} options
 * @param {string} options.from the repository
 * @param {string} options.to the mirror, which belongs to this function
 * @param {string[]} options.folders that are mirrored file by file
 * @param {Record<string, string>} options.links what else is linked as a whole: where, and to what of the repository
 * @returns {Promise<number>} how many files were translated */
export async function mirror({ from, to, folders, links }) {
  const files = folders.flatMap((folder) => filesIn(from, folder))
  const sources = files.filter((file) => program.test(file))
  const wanted = new Set([manifestName, ...files, ...Object.keys(links)])
  for (const file of sources) for (const made of [jsOf(file), `${jsOf(file)}.map`]) wanted.add(made)
  mkdirSync(to, { recursive: true })
  drop(to, '', wanted)
  for (const file of files) link(join(from, file), join(to, file))
  for (const [name, target] of Object.entries(links)) link(join(from, target), join(to, name))
  return translate(from, to, sources)
}

/** @param {string} file of the sources
 * @returns {string} its JavaScript */
export const jsOf = (file) => file.replace(program, '.js')

/** @param {string} from
 * @param {string} folder
 * @returns {string[]} */
function filesIn(from, folder) {
  return readdirSync(join(from, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(from, path) : [path]
  })
}

/** Removes what is no longer in the sources: a test that was deleted would still run.
 * @param {string} to
 * @param {string} folder
 * @param {Set<string>} wanted */
function drop(to, folder, wanted) {
  for (const entry of readdirSync(join(to, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) drop(to, path, wanted)
    else if (!wanted.has(path)) rmSync(join(to, path))
  }
}

/** @param {string} target
 * @param {string} path */
function link(target, path) {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there?.isSymbolicLink() && readlinkSync(path) === target) return
  if (there) rmSync(path, { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** @param {string} from
 * @param {string} to
 * @param {string[]} sources */
async function translate(from, to, sources) {
  const manifest = join(to, manifestName)
  const before = readManifest(manifest)
  const self = readFileSync(new URL(import.meta.url))
  const hashOf = (/** @type {string} */ file) =>
    createHash('sha256')
      .update(self)
      .update(readFileSync(join(from, file)))
      .digest('hex')
  const now = Object.fromEntries(sources.map((file) => [file, hashOf(file)]))
  const changed = sources.filter((file) => before[file] !== now[file] || !existsSync(join(to, jsOf(file))))
  if (changed.length > 0) {
    await build({
      entryPoints: changed.map((file) => join(from, file)),
      outbase: from,
      outdir: to,
      bundle: true, // of one file each, since it leads to no other: only so are imports looked at
      plugins: [{ name: 'endings', setup: (build) => build.onResolve({ filter: /^/ }, resolve) }],
      treeShaking: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'silent',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    })
  }
  writeFileSync(manifest, JSON.stringify(now))
  return changed.length
}

/** @param {import('esbuild').OnResolveArgs} args */
function resolve({ kind, path }) {
  if (kind === 'entry-point') return undefined
  return { path: path.startsWith('.') ? jsOf(path) : path, external: true }
}

/** @param {string} file
 * @returns {Record<string, string>} */
function readManifest(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
