// Servers in Java: their jars, from Maven Central as a POM of infra/stack names them, kept in the user's cache.

import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprint, root, say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'

/** @typedef {object} Jars
 * @property {string} name of the server
 * @property {string} pom
 * @property {string} size
 * @property {string[]} tried a main class and arguments with which it ends well */

const oldestJava = 17

/** Fetches a server where it is not there yet.
 * @param {Jars} jars
 * @returns {Promise<string | undefined>} the folder of its jars; undefined where it cannot be had, which is said */
export async function ensureJars(jars) {
  const missing = missingTool()
  if (missing) {
    say(`NO ${jars.name.toUpperCase()}: ${missing}`)
    return undefined
  }
  const place = join(cache, `${jars.name.toLowerCase().replaceAll(' ', '-')}-${fingerprint([jars.pom]).slice(0, 12)}`)
  return ensureCached(
    place,
    () => isWhole(place),
    (draft) => fetchJars(jars, draft),
  )
}

function missingTool() {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' })
  if (java.status !== 0) return `it needs Java ${oldestJava} or later, and there is no java here (https://adoptium.net)`
  const version = Number(/version "(\d+)/.exec(java.stderr)?.[1])
  if (!(version >= oldestJava)) return `it needs Java ${oldestJava} or later (https://adoptium.net); here is ${version}`
  return undefined
}

/** @param {Jars} jars
 * @param {string} draft */
async function fetchJars({ name, pom, size, tried }, draft) {
  const refusal = `NO ${name.toUpperCase()}: its jars`
  if (!runs('mvn')) {
    say(`${refusal} come with Maven, and there is no mvn here (https://maven.apache.org/install.html)`)
    return undefined
  }
  say(`fetching ${name} from Maven Central (${size}, once)`)
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${draft}`, '-DincludeScope=runtime']
  try {
    await promisify(execFile)('mvn', ['-q', '-B', '-f', join(root, pom), ...goal])
    await promisify(execFile)('java', ['-cp', join(draft, '*'), ...tried])
  } catch (error) {
    const { message, stdout } = /** @type {{ message: string, stdout?: string }} */ (error)
    say(`${refusal} could not be had: ${message}\n${stdout ?? ''}`)
    return undefined
  }
  const sizes = Object.fromEntries(readdirSync(draft).map((jar) => [jar, statSync(join(draft, jar)).size]))
  writeFileSync(join(draft, 'sizes.json'), JSON.stringify(sizes))
  return draft
}

/** Whether each jar is as long as when it was fetched.
 * @param {string} place */
function isWhole(place) {
  try {
    /** @type {Record<string, number>} */
    const sizes = JSON.parse(readFileSync(join(place, 'sizes.json'), 'utf8'))
    return Object.entries(sizes).every(([jar, size]) => statSync(join(place, jar)).size === size)
  } catch {
    return false
  }
}
