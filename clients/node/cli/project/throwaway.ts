import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Exit, exitCodes } from '../exit-codes.ts'

export type Throwaway = {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves with Ctrl-C and the like, which end the command by themselves before this is asked. */
  untilSignal(): Promise<void>
  end(): Promise<void>
}

const patience_ms = 60_000
const look_ms = 5_000

/**
 * A Weir in a folder of its own on a free port, which goes with the command. `service` is the folder of Weir; else it is
 * the one that this command is a part of, or WEIR_SERVICE.
 */
export async function startThrowaway(service: string | undefined): Promise<Throwaway> {
  const program = join(serviceFolder(service), 'dist/api/main.js')
  const port = await freePort()
  // From here to the listeners nothing is waited for: a signal finds the folder with those that remove it.
  const data = mkdtempSync(join(tmpdir(), 'weir-throwaway-'))
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: data,
      CLICKHOUSE_HTTP_PORT: '0',
      // Receivers are not to hear of fixtures.
      NOTIFY_SEND: '0',
      LOG_LEVEL: 'error',
      UV_THREADPOOL_SIZE: '48',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (part: Buffer) => {
    said = (said + part.toString('utf8')).slice(-4_000)
  })
  const gone = () => {
    child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
  process.once('exit', gone)
  // Without a listener these end the process with no exit that anything hears of.
  for (const signal of signals) process.once(signal, endBySignal)
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + patience_ms; ; ) {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Exit(exitCodes.failed, `the throwaway Weir ended with ${ended}: ${said}`)
    if (await isReady(url)) break
    if (Date.now() > end)
      throw new Exit(exitCodes.failed, `the throwaway Weir was not ready within ${patience_ms / 1000} s`)
    await new Promise((wake) => setTimeout(wake, 50))
  }
  return {
    url,
    child,
    async untilSignal() {
      for (const signal of signals) process.off(signal, endBySignal)
      await Promise.race(signals.map((signal) => once(process, signal)))
    },
    async end() {
      process.off('exit', gone)
      for (const signal of signals) process.off(signal, endBySignal)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(data, { recursive: true, force: true })
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const endBySignal = (signal: (typeof signals)[number]): void => process.exit(128 + constants.signals[signal])

/** Whether the service says so within five seconds. */
async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(look_ms) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** The folder of Weir with what it needs to run: the package `weir`, built. */
function serviceFolder(given: string | undefined): string {
  const named = given ?? process.env.WEIR_SERVICE
  if (named !== undefined) {
    if (isService(resolve(named))) return resolve(named)
    throw new Exit(exitCodes.usage, `${named} is no folder of Weir that was built: it has no dist/api/main.js`)
  }
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    if (isService(folder)) return folder
    const installed = join(folder, 'node_modules/weir')
    if (isService(installed)) return installed
  }
  throw new Exit(exitCodes.usage, 'there is no Weir to start: name its folder with --service, or in WEIR_SERVICE')
}

function isService(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (!existsSync(join(folder, 'dist/api/main.js')) || !existsSync(manifest)) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === 'weir'
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
