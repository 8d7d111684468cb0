// Which files of the repository lead to which: by the paths that stand in quotes in them. A path is of a module or of
// another file; it is relative to the file that has it, or to the repository, where programs are named that are started.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

const isModule = (/** @type {string} */ file) => /\.(?:tsx?|js)$/.test(file)
/** Types alone are checked by the compiler: no test sees a change of them. */
const typeImport = /\bimport type [^'"]*?from '[^']*'/g
const quoted = /['"`]([\w./-]*\w\.\w+|\.{1,2}\/[\w./-]*)['"`]/g

/** @typedef {object} Sources
 * @property {Map<string, string>} texts of each module, by its path in the repository
 * @property {Map<string, Set<string>>} leads from each module to those that it names */

/** @param {string} root
 * @param {readonly string[]} folders
 * @returns {Sources} */
export function readSources(root, folders) {
  const files = folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
      : [],
  )
  const texts = new Map(files.filter(isModule).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  return { texts, leads: leadsOf(texts) }
}

/** @param {Map<string, string>} texts
 * @returns {Map<string, Set<string>>} */
export function leadsOf(texts) {
  return new Map([...texts].map(([file, text]) => [file, modulesIn(file, text, texts)]))
}

/** @param {string} file
 * @param {string} text
 * @param {{ has(file: string): boolean }} known */
function modulesIn(file, text, known) {
  const paths = [...text.replace(typeImport, '').matchAll(quoted)].map(([, path = '']) => path)
  const found = paths.flatMap((path) => {
    const named = path.startsWith('.') ? normalize(join(dirname(file), path)) : path.replace(/^dist\//, '')
    return [named, named.replace(/\.js$/, '.ts')].find((each) => known.has(each)) ?? []
  })
  return new Set(found.filter((each) => each !== file))
}

/** How far each module is from what changed: 0 is a changed one, 1 names one. A file that is no module changes those
 * that have its name in their text; where none has it, the tests of its folder, and those that have the folder's name.
 * @param {Sources} sources
 * @param {readonly string[]} changed
 * @returns {Map<string, number>} without the modules that no change touches */
export function distances({ texts, leads }, changed) {
  /** @type {Map<string, Set<string>>} */
  const namedBy = new Map()
  for (const [file, modules] of leads) {
    for (const module of modules) namedBy.set(module, (namedBy.get(module) ?? new Set()).add(file))
  }
  const found = new Map(changed.filter((file) => texts.has(file)).map((file) => [file, 0]))
  const near = changed.filter((file) => !texts.has(file)).flatMap((file) => naming(texts, file))
  for (const file of near) if (!found.has(file)) found.set(file, 1)
  // In the order of their distance, which the loop goes on to add to.
  const waiting = [...found.keys()].sort((a, b) => (found.get(a) ?? 0) - (found.get(b) ?? 0))
  for (const file of waiting) {
    for (const by of namedBy.get(file) ?? []) {
      if (found.has(by)) continue
      found.set(by, (found.get(file) ?? 0) + 1)
      waiting.push(by)
    }
  }
  return found
}

/** Modules that read a file which is no module itself, as far as texts tell.
 * @param {Sources['texts']} texts
 * @param {string} file
 * @returns {string[]} those that have its name; else tests of its folder, and those that have the folder's name */
function naming(texts, file) {
  const folders = file.split('/')
  const name = folders.pop() ?? ''
  const named = modulesThat(texts, (_, text) => text.includes(name))
  if (named.length > 0) return named
  const besides = folders.map((_, at) => folders.slice(0, folders.length - at)).filter(({ length }) => length > 1)
  const patterns = folders.toReversed().map((folder) => new RegExp(`[/'"\`]${folder.replaceAll('.', '\\.')}[/'"\`]`))
  return [
    ...firstOf(besides, (path) => modulesThat(texts, (module) => module.startsWith(testsOf(path)))),
    ...firstOf(patterns, (pattern) => modulesThat(texts, (_, text) => pattern.test(text))),
  ]
}

/** @param {string[]} folders
 * @returns {string} where the tests of a folder are */
const testsOf = (folders) => `${[...(folders[0] === 'test' ? [] : ['test']), ...folders].join('/')}/`

/** @param {Sources['texts']} texts
 * @param {(module: string, text: string) => boolean} isWanted */
const modulesThat = (texts, isWanted) =>
  [...texts].filter(([module, text]) => isWanted(module, text)).map(([module]) => module)

/** @template From
 * @param {From[]} from
 * @param {(each: From) => string[]} find
 * @returns {string[]} what the first of them finds that finds anything */
const firstOf = (from, find) => from.map(find).find((found) => found.length > 0) ?? []
