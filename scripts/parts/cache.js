// Programs that the tests and `npm run stack` need, kept in the user's cache: made once, by one process at a time.

import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const cache = join(homedir(), '.cache', 'weir')
const longestBuild_ms = 15 * 60 * 1000

/** @param {string} place a file or folder of the cache
 * @param {() => boolean} isGood whether the file or folder in place can be used
 * @param {(draft: string) => Promise<string | undefined>} make makes it in a new folder, and answers with the path to
 *   rename into place; undefined where it cannot be had, having logged why
 * @returns {Promise<string | undefined>} the place; undefined where it cannot be had */
export async function ensureCached(place, isGood, make) {
  if (isGood()) return place
  mkdirSync(dirname(place), { recursive: true })
  const lock = `${place}.lock`
  while (!takeLock(lock)) await sleep(250)
  const draft = `${place}.${process.pid}`
  try {
    if (isGood()) return place
    const made = await make(draft)
    if (!made) return undefined
    rmSync(place, { recursive: true, force: true })
    renameSync(made, place)
    return place
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(lock, { force: true })
  }
}

/** @param {string} command
 * @param {string[]} args */
export function runs(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** The lock is a link, so it comes into being with its holder's process id in it. A dead holder's lock is taken away;
 * should two take it at once, both make the thing, and it is renamed into place all the same.
 * @param {string} lock */
function takeLock(lock) {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, lock)
    return true
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/** Whether its holder lives, and has not had it for longer than any build takes.
 * @param {string} lock */
function isHeld(lock) {
  try {
    return isAlive(Number(readFileSync(lock, 'utf8'))) && Date.now() - statSync(lock).mtimeMs < longestBuild_ms
  } catch {
    return true // given back just now
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
