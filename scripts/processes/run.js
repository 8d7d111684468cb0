// Shared by the scripts: where the repository is, lines that report progress, and running a tool.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** On standard error: standard output belongs to the started program.
 * @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Whether people read standard error in a terminal, or a file keeps it. */
export const inTerminal = process.stderr.isTTY === true

/** Runs a command in the repository and keeps quiet about it, unless it fails.
 * @param {string} command
 * @param {string[]} args
 * @returns {number} the exit code */
export function run(command, args) {
  const child = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...(inTerminal ? { FORCE_COLOR: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  })
  const code = child.status ?? 1
  if (code !== 0) process.stderr.write(`${child.stdout ?? ''}${child.stderr ?? ''}${child.error?.message ?? ''}\n`)
  return code
}

/** Runs a tool beside whatever else runs, and keeps quiet about it, unless it fails.
 * @param {string} tool a JavaScript file below node_modules
 * @param {string[]} args
 * @returns {Promise<number>} the exit code */
export const runTool = (tool, args) => runBeside(process.execPath, [join(root, 'node_modules', tool), ...args])

/** As `run`, beside whatever else runs.
 * @param {string} command
 * @param {string[]} args
 * @param {(pid: number) => void} [onStart]
 * @returns {Promise<number>} the exit code */
export async function runBeside(command, args, onStart) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...(inTerminal ? { FORCE_COLOR: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) onStart?.(child.pid)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  }
  const code = await once(child, 'close').then(
    ([code]) => code ?? 1,
    (error) => {
      said += `${command}: ${error.message}\n`
      return 1
    },
  )
  if (code !== 0) process.stderr.write(said)
  return code
}

/** TypeScript 7, whose compiler is a native program, takes a third of the processor time that TypeScript 6 takes. The latter stays
 * for editors and for tools that need its JavaScript API.
 * @param {string} project a tsconfig file: the files that it names are checked */
export const checkTypes = (project) => runTool(`${compiler}/bin/tsc`, compilerOptions(project))

const compiler = 'typescript-native'
/** Other checks run beside it: more threads would look at the same types again.
 * @param {string} project */
const compilerOptions = (project) => ['-p', project, '--pretty', String(inTerminal), '--checkers', '1']

/** @returns {string} which compiler checks types */
export const compilerName = () => `TypeScript ${JSON.parse(read(`node_modules/${compiler}/package.json`)).version}`

/** A hash of the named files, their names included. A file that is not there counts as empty.
 * @param {string[]} files relative to the repository */
export function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(read(file)).update('\0')
  return hash.digest('hex')
}

/** @param {string} file relative to the repository
 * @returns {string} its text, or nothing if it is not there */
export function read(file) {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return ''
  }
}
