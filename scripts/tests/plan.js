// Which test files there are, what each asks for, and in which portions they are run.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {object} TestFile
 * @property {string} file relative to the repository, as its author knows it
 * @property {boolean} isHeavy it starts servers, or kills what it starts: two such at a time disturb each other
 * @property {boolean} isLarge it is heavy, takes long, tries what others try on another ground, or runs all of a program
 * @property {boolean} mayRunAgain what it tests does not depend on chance
 * @property {boolean} needsKafka
 * @property {boolean} needsTemporal
 * @property {number} seconds how long it took when that was last written down */

/** Names of tests that look for what happens seldom: a second run would hide what the first has found. */
const hunts = /crash|propert|reconcile|kafka|random|durability|damage|loss|fault/
const isRandom = /from '(?:fast-check|[./]+support\/random\/(?:random|seed)\.ts|[./\w-]*\/make-data\.ts)'/
const usesKafka = /\/support\/parts\/kafka(?:-log)?\.ts'/
const usesTemporal = /\/support\/parts\/temporal\.ts'/
const killsServices =
  /\/(?:support\/(?:process|parts\/zookeeper|clickhouse\/(?:server-mode|on-(?:packed-)?server|clickhouse-server))|campaign)\.ts'/
const runsMuch =
  /^test\/(?:(?:bench|campaign|examples|api\/cluster-mode)\/|(?:api\/objects\/s3|infra\/buckets\/s3-store)\.)/

const unknown_s = 5
/** A file that takes so long is large, whatever it does. */
const long_s = 15
/** Of the large files a run takes one in so many. */
const shares = 5
/** Starting ava costs half a second: files that are short share one. */
const portion_s = 30

/** @param {string} root the repository
 * @returns {string[]} */
export function testFiles(root) {
  const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .sort()
}

/** @param {string[]} files
 * @param {string[]} wanted files, or folders of them; nothing means all
 * @returns {string[]} */
export function selected(files, wanted) {
  const paths = wanted.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
  for (const path of paths) {
    if (!files.some((file) => isIn(file, path))) throw new Error(`there is no test file ${path}, nor one in it`)
  }
  return paths.length === 0 ? files : files.filter((file) => paths.some((path) => isIn(file, path)))
}

/** @param {string} file
 * @param {string} path */
const isIn = (file, path) => file === path || file.startsWith(`${path}/`)

/** @param {string} root
 * @param {string} file
 * @param {Record<string, number>} times
 * @returns {TestFile} */
export function describe(root, file, times) {
  const text = readFileSync(join(root, file), 'utf8')
  const [needsKafka, needsTemporal] = [usesKafka.test(text), usesTemporal.test(text)]
  const isHeavy = needsKafka || needsTemporal || killsServices.test(text)
  const seconds = times[file] ?? unknown_s
  return {
    file,
    isHeavy,
    isLarge: isHeavy || seconds >= long_s || runsMuch.test(file),
    mayRunAgain: !hunts.test(file) && !isRandom.test(text),
    needsKafka,
    needsTemporal,
    seconds,
  }
}

/** What one run takes, and what it leaves to runs with other seeds: the large files make up two thirds of the time.
 * @param {TestFile[]} files
 * @param {number} seed
 * @returns {{ taken: TestFile[], left: TestFile[] }} */
export function shareOf(files, seed) {
  /** @type {TestFile[][]} */
  const dealt = Array.from({ length: shares }, () => [])
  for (const file of files.filter(({ isLarge }) => isLarge).toSorted((a, b) => b.seconds - a.seconds)) {
    dealt.toSorted((a, b) => total(a) - total(b))[0]?.push(file)
  }
  const left = new Set(dealt.filter((_, at) => at !== seed % shares).flat())
  return { taken: files.filter((file) => !left.has(file)), left: [...left] }
}

/** The files in portions for an ava each, the longest first: one that began last would be waited for alone.
 * @param {TestFile[]} files
 * @returns {TestFile[][]} */
export function portions(files) {
  /** @type {TestFile[][]} */
  const made = []
  for (const file of files.toSorted((a, b) => b.seconds - a.seconds)) {
    const open = made.find(
      (portion) => portion[0]?.isHeavy === file.isHeavy && total(portion) + file.seconds <= portion_s,
    )
    if (open) open.push(file)
    else made.push([file])
  }
  return made.toSorted((a, b) => total(b) - total(a))
}

/** @param {TestFile[]} files */
const total = (files) => files.reduce((sum, { seconds }) => sum + seconds, 0)
