// Which test files there are, what each asks for, and in which portions they are run.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {object} TestFile
 * @property {string} file relative to the repository, as its author knows it
 * @property {boolean} isHeavy it runs programs beside its own process: many such at a time disturb each other
 * @property {boolean} needsKafka
 * @property {string[]} [programs] names of those that are fetched before it runs, as servers.js has them
 * @property {string[]} [declaring] modules that declare tests for the first file of a process which loads them, and for no other
 * @property {string} [built] the one of them whose build takes longer than most tests do
 * @property {import('../parts/node.js').Node} [node] another Node than the one that runs the others
 * @property {number} seconds how long it took when that was last written down
 * @property {number} processor_s how long a processor worked for it then */

/** A file's name ends with what it needs: Kafka, Temporal, both, Chromium, or programs that it starts and kills. */
const kinds = /\.(kafka|temporal|stack|chromium|process)\.test\.ts$/

/** Of a file that was never measured: one that runs programs may take long, and is begun early. */
const unknown = { heavy: { seconds: 30, processor_s: 15 }, light: { seconds: 15, processor_s: 7 } }
/** Files up to this time are short. */
export const short_s = 4
/** Files up to this time share a process, since loading the service costs two seconds of a processor. */
const sharing_s = 20
/** The files of a process last no longer than this between them. */
const portion_s = 60

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
 * @param {string[]} wanted files, folders of them, or nouns such as `streams`; nothing means all
 * @returns {string[]} */
export function selected(files, wanted) {
  const ways = wanted.map((word) => {
    const path = word.replace(/^\.\//, '').replace(/\/$/, '')
    const isWanted = files.some((file) => isIn(file, path))
      ? (/** @type {string} */ file) => isIn(file, path)
      : ofNoun(path)
    if (!files.some(isWanted)) throw new Error(`there is no test file ${path}, nor one in it, nor one about it`)
    return isWanted
  })
  return ways.length === 0 ? files : files.filter((file) => ways.some((isWanted) => isWanted(file)))
}

/** Folders that are about a noun under another name. */
const about = new Map([
  ['stream', ['sql/schema', 'activities/ingest', 'activities/events']],
  ['model', ['learn', 'activities/prediction', 'activities/training']],
  ['query', ['sql/query', 'activities/queries', 'api/streams/queries']],
])

/** @param {string} noun
 * @returns {(file: string) => boolean} whether a test has the noun as a folder, or its name begins with it: its tests of sql,
 * activities and API alike */
function ofNoun(noun) {
  const one = single(noun)
  const folders = (about.get(one) ?? []).map((folder) => `test/${folder}`)
  return (file) => {
    const steps = file.split('/').slice(1)
    const [name = ''] = (steps.pop() ?? '').split(/[.-]/)
    return [...steps, name].some((step) => single(step) === one) || folders.some((folder) => isIn(file, folder))
  }
}

/** @param {string} noun */
const single = (noun) => noun.replace(/ies$/, 'y').replace(/s$/, '')

/** @param {string} file
 * @param {string} path */
const isIn = (file, path) => file === path || file.startsWith(`${path}/`)

/** @param {string} file
 * @param {Record<string, import('./times.js').Times>} times
 * @returns {TestFile} */
export function describe(file, times) {
  const kind = kinds.exec(file)?.[1]
  return {
    file,
    isHeavy: kind !== undefined,
    needsKafka: kind === 'kafka' || kind === 'stack',
    ...(times[file] ?? (kind === undefined ? unknown.light : unknown.heavy)),
  }
}

/** The files in portions that run one after the other, the longest first: one that began last would be waited for alone.
 * @param {TestFile[]} files
 * @returns {TestFile[][]} */
export function portions(files) {
  /** @type {TestFile[][]} */
  const made = []
  for (const file of files.toSorted((a, b) => b.seconds - a.seconds)) {
    const mayJoin = (/** @type {TestFile[]} */ portion) =>
      isLike(portion[0], file) && mayShare(portion[0]) && !portion.some((each) => declareAlike(each, file))
    const open = made.find((portion) => mayJoin(portion) && total(portion) + file.seconds <= portion_s)
    if (open) open.push(file)
    else made.push([file])
  }
  return made.toSorted((a, b) => total(b) - total(a))
}

/** @param {TestFile | undefined} file */
const mayShare = (file) => file !== undefined && file.seconds <= sharing_s

/** @param {TestFile} a
 * @param {TestFile} b */
const declareAlike = ({ declaring: a = [] }, { declaring: b = [] }) => a.some((each) => b.includes(each))

/** Whether one file can run behind another.
 * @param {TestFile | undefined} a
 * @param {TestFile} b */
const isLike = (a, b) =>
  a?.isHeavy === b.isHeavy && a.node === b.node && String(a.programs ?? []) === String(b.programs ?? [])

/** Seconds of a processor that a build takes. */
export const built_s = 110

/** One of `count` shares that take a processor about as long, by which as many machines run all files between them. Files that
 * need the same program built are in the same one, so that one machine builds it.
 * @param {TestFile[]} files
 * @param {{ index: number, count: number }} shard its index counts from 1
 * @returns {TestFile[]} */
export function shardOf(files, { index, count }) {
  /** @type {Map<string, TestFile[]>} */
  const units = new Map()
  for (const each of files.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const unit = each.built ?? each.file
    units.set(unit, [...(units.get(unit) ?? []), each])
  }
  const shards = Array.from({ length: count }, () => /** @type {TestFile[]} */ ([]))
  for (const unit of [...units.values()].toSorted((a, b) => costOf(b) - costOf(a))) {
    shards.reduce((least, each) => (costOf(each) < costOf(least) ? each : least)).push(...unit)
  }
  return shards[index - 1] ?? []
}

/** @param {string} text such as `2/3`
 * @returns {{ index: number, count: number }} */
export function readShard(text) {
  const [index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number)
  if (index < 1 || index > count) throw new Error(`--shard is ${text}, and should be such as 2/3: the second of three`)
  return { index, count }
}

/** @param {TestFile[]} files */
const costOf = (files) =>
  files.reduce((sum, { processor_s }) => sum + processor_s, 0) +
  built_s * new Set(files.flatMap(({ built }) => built ?? [])).size

/** @param {TestFile[]} files */
const total = (files) => files.reduce((sum, { seconds }) => sum + seconds, 0)
