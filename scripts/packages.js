// Makes node_modules match package-lock.json where it does not.

import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingFrom } from './lock.js'
import { sayProgress } from './processes/progress.js'
import { fingerprint, read, root, runBeside, say } from './processes/run.js'

/** @typedef {import('./lock.js').Locked} Locked */
/** @typedef {import('./lock.js').Lock} Lock */

const stamp = 'node_modules/.weir-packages'

/** Runs `npm ci` if node_modules is missing, half-made or from another lock. Ends the process if that fails. */
export async function ensurePackages() {
  const wanted = `${process.platform} ${process.arch} ${fingerprint(['package.json', 'package-lock.json'])}`
  if (read(stamp) === wanted) return
  if (!isInstalled()) await install()
  writeFileSync(join(root, stamp), wanted)
}

async function install() {
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    say('node_modules is a link to packages that differ from package-lock.json; npm would empty their folder')
    process.exit(1)
  }
  await waitForOther()
  // The other one may have made them.
  if (isInstalled()) return
  const code = await sayProgress(
    'installing packages',
    packagesIn(),
    () => runBeside('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], noteInstaller),
    (ended) => ended === 0,
  )
  rmSync(join(root, installer), { force: true })
  if (code === 0) return
  if (Object.keys(missingFrom(JSON.parse(read('package-lock.json')))).length > 0) {
    say('package-lock.json lacks builds for other platforms: `npm run lock` adds them (scripts/lock.js says why)')
  }
  process.exit(code)
}

/** The process group's npm outlives a start that is interrupted: its number stands beside node_modules, which it empties. */
const installer = '.weir-installing'

/** @param {number} pid */
function noteInstaller(pid) {
  writeFileSync(join(root, installer), String(pid))
}

/** Waits for an installation that an earlier start began and that still runs: two at once break each other. */
async function waitForOther() {
  const pid = Number(read(installer))
  if (!(pid > 0) || !isNpm(pid)) return
  say(`another installation of the packages (process ${pid}) still runs, waiting for its end`)
  while (isNpm(pid)) await sleep(500)
}

/** Whether a process runs and, where the system tells, is npm: its number may be another's by now.
 * @param {number} pid */
function isNpm(pid) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return /npm/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** How far an installation is: npm makes the folders of the packages one after the other. */
function packagesIn() {
  /** @type {Lock} */
  const lock = JSON.parse(read('package-lock.json'))
  const places = Object.entries(lock.packages)
    .filter(([place, locked]) => place !== '' && !(locked.optional && !isForThisMachine(locked)))
    .map(([place]) => join(root, place, 'package.json'))
  return () => ({ done: places.filter((place) => existsSync(place)).length, total: places.length })
}

/** Whether npm's own record of node_modules matches the lock on this machine: then `npm install X` or an edited script
 * in package.json costs no second install. */
function isInstalled() {
  /** @type {Lock} */
  const lock = JSON.parse(read('package-lock.json'))
  /** @type {Lock} */
  const installed = JSON.parse(read('node_modules/.package-lock.json') || '{"packages":{}}')
  return (
    asksForTheSame(JSON.parse(read('package.json')), lock.packages['']) &&
    holds(installed, lock, (place) => existsSync(join(root, place, 'package.json')))
  )
}

/** Whether the installed packages are the lock's, but for optional ones that are not for this machine and packages that
 * only such ones ask for.
 * @param {Lock} installed
 * @param {Lock} lock
 * @param {(place: string) => boolean} isThere */
export function holds(installed, lock, isThere) {
  const asked = new Set([lock.packages[''], ...Object.values(installed.packages)].flatMap(askedBy))
  return (
    Object.keys(installed.packages).every((place) => lock.packages[place]) &&
    Object.entries(lock.packages).every(([place, locked]) => {
      const found = installed.packages[place]
      if (place === '') return true
      if (found) return found.version === locked.version && isThere(place)
      return Boolean(locked.optional) && !(asked.has(nameOf(place)) && isForThisMachine(locked))
    })
  )
}

/** @param {Locked | undefined} by */
const askedBy = (by) => Object.keys({ ...by?.dependencies, ...by?.optionalDependencies, ...by?.peerDependencies })

/** @param {string} place */
const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** @param {Locked} manifest
 * @param {Locked | undefined} locked */
function asksForTheSame(manifest, locked) {
  const asked = [manifest, locked].map((one) => JSON.stringify([one?.dependencies ?? {}, one?.devDependencies ?? {}]))
  return asked[0] === asked[1]
}

/** @param {Locked} locked */
function isForThisMachine(locked) {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  const libc = header.glibcVersionRuntime ? 'glibc' : 'musl'
  return includes(locked.os, process.platform) && includes(locked.cpu, process.arch) && includes(locked.libc, libc)
}

/** @param {string[] | undefined} list of the items that are meant, or with a `!` each of the ones that are not
 * @param {string} item */
function includes(list, item) {
  if (!list) return true
  return list.every((one) => one.startsWith('!')) ? !list.includes(`!${item}`) : list.includes(item)
}
