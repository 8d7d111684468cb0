// Temporal's development server with its UI: `temporal` where it is on PATH, else built once with Go.

import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../processes/ports.js'
import { startProgram } from '../processes/program.js'
import { ensureGoProgram } from './go.js'

/** The user's own configuration of Temporal's command is not for this server. */
const alone = ['--disable-config-file', '--disable-config-env']

/** @typedef {Awaited<ReturnType<typeof startTemporal>>} Temporal */

/** Builds Temporal where it is not there yet.
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureTemporal() {
  if (isNewEnough('temporal')) return 'temporal'
  return ensureGoProgram({
    target: 'github.com/temporalio/cli/cmd/temporal',
    version: 'v1.5.1', // the last that can be built this way
    duration: 'about three minutes',
    otherwise: 'NO TEMPORAL',
  })
}

/** Whether it is a 1.x that has all features that the service uses.
 * @param {string} command */
function isNewEnough(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return status === 0 && Number(/version 1\.(\d+)\./.exec(stdout)?.[1]) >= 5
}

/** Its data and its log are in the folder; earlier data there is kept. The ports stay the same when it is restarted.
 * @param {object} options
 * @param {string} options.binary from `ensureTemporal`
 * @param {string} options.folder
 * @param {number} [options.port] a free one if none is given
 * @param {number} [options.uiPort] a free one if none is given
 * @param {(how: string) => void} [options.onDeath] called when it ended and this process had not asked it to */
export async function startTemporal({ binary, folder, port: wanted, uiPort: wantedUi, onDeath }) {
  const [port, uiPort] = [wanted ?? (await freePort()), wantedUi ?? (await freePort())]
  const [address, uiAddress] = [`127.0.0.1:${port}`, `http://127.0.0.1:${uiPort}`]
  mkdirSync(folder, { recursive: true })
  const listen = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)]
  const keep = ['--db-filename', join(folder, 'temporal.db'), '--log-level', 'warn']
  const program = await startProgram({
    name: 'Temporal',
    command: binary,
    args: ['server', 'start-dev', ...listen, ...keep, ...alone],
    ports: [port, uiPort],
    log: join(folder, 'temporal.log'),
    answers: () => answers(binary, address, uiAddress),
    onDeath,
  })
  return Object.assign(program, { address, uiAddress })
}

/** Whether the namespace that clients use is there, and the UI.
 * @param {string} binary
 * @param {string} address
 * @param {string} uiAddress */
async function answers(binary, address, uiAddress) {
  try {
    await fetch(uiAddress)
    await promisify(execFile)(binary, ['operator', 'namespace', 'describe', 'default', '--address', address, ...alone])
    return true
  } catch {
    return false
  }
}
