// Runs the test files of WEIR_TEST_FILES in this one process, one after the other, by ava's own runner: ClickHouse and the
// service's modules are loaded once, which takes a process two seconds of a processor. It reports ava's events, as outcome.js takes
// them, and ends behind a file that leaves anything running or set: the files behind that one are another process's.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { root } from '../processes/run.js'

/** @typedef {import('./outcome.js').Told} Told */

/** Parts of ava that it keeps to itself: test/scripts/tests/group.test.ts fails where another version has them otherwise.
 * @param {string} name */
const ava = (name) => import(pathToFileURL(join(root, 'node_modules/ava/lib', name)).href)
const [{ set: setChalk }, { default: Runner }, { default: serializeError }, { default: options }, { default: worker }] =
  await Promise.all(['chalk.js', 'runner.js', 'serialize-error.js', 'worker/options.cjs', 'worker/state.cjs'].map(ava))

/** Resources that a file has closed may be there for a moment longer. */
const patience_ms = 500
const look_ms = 10
/** A process that holds more takes no further file. */
const most_bytes = 1024 ** 3

const chalkOptions = { level: 0 }
options.set({ chalkOptions })
setChalk(chalkOptions)
/** @type {Map<Promise<unknown>, unknown>} */
const rejected = new Map()
process.on('unhandledRejection', (reason, promise) => rejected.set(promise, reason))
process.on('rejectionHandled', (promise) => rejected.delete(promise))
let testFile = ''
let isExpected = false

/** @param {Told} told
 * @returns {Promise<void>} once it is on its way: a process that exits before would lose it */
const tell = (told) => new Promise((resolve) => process.send?.({ testFile, ...told }, () => resolve()))

/** @param {string} type
 * @param {unknown} error */
function tellError(type, error) {
  const { message, stack } = serializeError(error)
  console.error(`${testFile}: ${type}\n${stack ?? message}\n`)
  return tell({ type, message })
}

function leave(code = 0) {
  isExpected = true
  process.exit(code)
}

process.exit = new Proxy(process.exit, {
  apply(exit, self, args) {
    if (!isExpected) void tell({ type: 'process-exit' })
    return Reflect.apply(exit, self, args)
  },
})
process.once('SIGINT', () => leave(1))
process.on('uncaughtException', async (error) => {
  await tellError('uncaught-exception', error)
  leave(1)
})

/** Test files import this as `ava`: the chain of the file that is loaded.
 * @type {any} */
let chain
worker.refs.runnerChain = new Proxy(() => {}, {
  apply: (_, self, args) => Reflect.apply(chain, self, args),
  get: (_, name) => chain[name],
})

/** @param {Told & { err?: Error & { formattedDetails?: { label: string, formatted: string }[] }, logs?: string[] }} state of ava's runner */
function report({ err, logs = [], ...told }) {
  const details = err?.formattedDetails?.map(({ label, formatted }) => `${label} ${formatted}`)
  if (err)
    console.error([`${testFile} › ${told.title}`, ...logs, err.message, ...(details ?? []), err.stack, ''].join('\n'))
  return tell({ ...told, ...(err && { message: err.message, details: details?.join(' ') ?? '' }) })
}

/** @param {string} file
 * @returns {Promise<boolean>} whether it loaded and all of it was run */
async function runFile(file) {
  const runner = new Runner({ file, projectDir: root })
  chain = runner.chain
  let hasTests = false
  runner.on('stateChange', (/** @type {Told} */ state) => {
    hasTests ||= state.type === 'declared-test'
    void report(state)
  })
  const ended = runner.once('finish')
  runner.on('error', async (/** @type {unknown} */ error) => {
    await tellError('internal-error', error)
    leave(1)
  })
  await import(pathToFileURL(file).href)
  if (hasTests) await ended
  await setImmediate()
  for (const reason of rejected.values()) await tellError('unhandled-rejection', reason)
  return rejected.size === 0
}

/** The settings that the next file would find. */
const settings = () => JSON.stringify([process.env, process.cwd(), process.listenerCount('SIGTERM')])

/** The names of resources for which this process waits, but for requests that are answered within the moment. Pipes are its own
 * to its parent: those of a program stand beside the program, and those of a server beside the server. */
const running = () =>
  process.getActiveResourcesInfo().filter((name) => !/Req(?:Promise)?$|^(?:Immediate|PipeWrap)$/.test(name))

/** @param {string} before
 * @returns {Promise<string>} what a file has left behind, or nothing */
async function leftBehind(before) {
  if (settings() !== before) return 'settings'
  for (const until = performance.now() + patience_ms; running().length > 0; await sleep(look_ms)) {
    if (performance.now() > until) return running().join(' ')
  }
  return process.memoryUsage.rss() > most_bytes ? 'memory' : ''
}

/** Clock ticks in a second, which Linux has had as 100 for all programs since 2.6. */
const ticks_s = 100

/** @returns {number} seconds of a processor that this process took, and the programs of it that have ended */
function processorSeconds() {
  const { user, system } = process.cpuUsage()
  try {
    // proc(5): the name of the program, which may hold blanks, ends with the last bracket; cutime and cstime are fields 16 and 17.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / ticks_s
  } catch {
    return (user + system) / 1e6 // not on Linux
  }
}

let taken_s = 0
for (const file of (process.env.WEIR_TEST_FILES ?? '').split('\n')) {
  testFile = join(root, file)
  await tell({ type: 'starting' })
  const before = settings()
  const isWhole = await runFile(testFile)
  const left = isWhole ? await leftBehind(before) : 'a rejection'
  const processor_s = processorSeconds() - taken_s
  taken_s += processor_s
  await tell({ type: 'worker-finished', processor_s })
  if (left !== '') break
}
await tell({ type: 'end' })
leave()
