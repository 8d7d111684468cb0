// Where the tests keep their data folders: in memory where there is plenty of it. ClickHouse makes a dozen files an
// insert, and a disk's file system takes four times as long for them as ClickHouse for the rest; a process that is killed
// leaves the one as whole as the other. `TMPDIR` says another place.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Of the file system, and of the memory that nothing uses. */
const wanted_bytes = 8 * 1024 ** 3

/** A folder until this process ends; folders that killed runs have left are removed.
 * @param {object} [options]
 * @param {string} [options.memory] a file system in memory
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {{ TMPDIR?: string }} */
export function makeFastFolder({ memory = '/dev/shm', env = process.env } = {}) {
  if (env.TMPDIR !== undefined || !hasPlenty(memory)) return {}
  for (const name of readdirSync(memory)) {
    const owner = /^weir-tests-(\d+)-/.exec(name)?.[1]
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) remove(join(memory, name))
  }
  const folder = mkdtempSync(join(memory, `weir-tests-${process.pid}-`))
  process.once('exit', () => remove(folder))
  return { TMPDIR: folder }
}

/** @param {string} folder */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string} memory */
function hasPlenty(memory) {
  try {
    const { bavail, bsize } = statfsSync(memory)
    const available = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    return bavail * bsize >= wanted_bytes && Number(available) * 1024 >= wanted_bytes
  } catch {
    return false // no Linux
  }
}
