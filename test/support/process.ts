import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDistFresh } from '../../scripts/dist.js'
import { serverSettings } from './clickhouse/server-mode.ts'
import { programOf } from './program.ts'
import { type Client, createClient } from './requests/client.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type ServiceProcess = {
  readonly child: ChildProcess
  readonly client: Client
  readonly url: string
  readonly started_ms: number
  /** Standard error so far. */
  errors(): string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; took_ms: number }>
}

/** The end of a process that is not expected to come up: its exit code and what it said. */
export class NotStarted extends Error {
  readonly code: number | null
  readonly said: string

  constructor(code: number | null, said: string) {
    super(`the service ended with code ${code}: ${said.slice(0, 2000)}`)
    this.code = code
    this.said = said
  }
}

/** As users start it where that is what the sources say: it spares a second of processor time. */
export const serviceProgram = isDistFresh() ? [join(root, 'dist/api/main.js')] : programOf('api/main.ts')

const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  // The value that npm start sets.
  UV_THREADPOOL_SIZE: '48',
  CLICKHOUSE_HTTP_PORT: '0',
  LOG_LEVEL: 'info',
}

const children = new Set<ChildProcess>()

/** Kills what a test that failed left running. */
export function killServices(): void {
  for (const child of children) child.kill('SIGKILL')
}
process.once('exit', killServices)

export type Spawning = {
  /** Of another release of Weir: its `dist`, with `package.json` beside. */
  readonly folder?: string
  /** Is told what the process logs, from its first line on. */
  readonly heard?: (text: string) => void
}

/** A service as a process of its own, resolved once it is ready. Throws `NotStarted` where it ends before. */
export async function spawnService(
  settings: Readonly<Record<string, string>>,
  { folder, heard }: Spawning = {},
): Promise<ServiceProcess> {
  const ofServer = settings.DATA_DIR === undefined ? {} : await serverSettings(settings.DATA_DIR)
  const began = performance.now()
  const child = spawn(process.execPath, folder === undefined ? serviceProgram : ['dist/api/main.js'], {
    cwd: folder ?? root,
    env: { ...environment, ...ofServer, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.add(child)
  const exited = once(child, 'exit').then(() => children.delete(child))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString('utf8')
      heard?.(said)
      const found = /"url":"([^"]+)"/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('close', (code) => reject(new NotStarted(code, said)))
  })
  return {
    child,
    url,
    client: createClient(url),
    started_ms: performance.now() - began,
    errors: () => said,
    async end(signal) {
      const asked = performance.now()
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await exited
      return { code: child.exitCode, took_ms: performance.now() - asked }
    },
  }
}
