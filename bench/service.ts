import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../dist/api/main.js', import.meta.url))
/** The flags of `npm start`. */
const flags = ['--max-semi-space-size=64']
const patience_ms = 60_000
/** A service is at rest when it takes less than `share` of a core for `for_ms`, so many times in a row: work has pauses. */
const rest = { share: 0.05, for_ms: 500, times: 3 }

export type Settings = Readonly<Record<string, string>>

/** The service as a user runs it, in a process of its own; resolves once it is ready. */
export async function startService(folder: string, settings: Settings = {}) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, entry], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      CLICKHOUSE_HTTP_PORT: '0',
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: '48',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  while (!(await isReady(base))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    if (performance.now() - started > patience_ms) throw new Error('the service does not become ready')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const start_ms = performance.now() - started

  return {
    port,
    base,
    /** From the start of the process to its readiness. */
    start_ms,
    async register(schema: object): Promise<void> {
      const response = await fetch(`${base}/stream`, { method: 'POST', body: JSON.stringify(schema) })
      if (!response.ok) throw new Error(await response.text())
    },
    /** Resolves when this many events of a stream can be queried. */
    async holds(stream: string, events: number): Promise<void> {
      const end = performance.now() + patience_ms
      for (let count = 0; count !== events; ) {
        if (performance.now() > end) throw new Error(`${count} events can be queried, not ${events}`)
        const response = await fetch(`${base}/stream/${stream}/count`)
        if (response.ok) count = ((await response.json()) as { count: number }).count
      }
    },
    /** Resolves when all that it has taken can be queried, rows that rules made too. */
    async fed(): Promise<void> {
      const end = performance.now() + patience_ms
      while ((await this.lag_ms()) > 0) {
        if (performance.now() > end) throw new Error('acknowledged events are not fed')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    /** Resolves when it has nothing more to do, such as merges, or after `maxSeconds`. */
    async rests(maxSeconds: number): Promise<void> {
      const end = performance.now() + maxSeconds * 1000
      for (let quiet = 0; quiet < rest.times && performance.now() < end; ) {
        const before = cpuSeconds(child.pid)
        await new Promise((resolve) => setTimeout(resolve, rest.for_ms))
        const share = ((cpuSeconds(child.pid) - before) * 1000) / rest.for_ms
        quiet = share > rest.share ? 0 : quiet + 1
      }
    },
    /** Age of the oldest acknowledged event that is not in ClickHouse. */
    async lag_ms(): Promise<number> {
      const response = await fetch(`${base}/health/ready`)
      return ((await response.json()) as { parts: { log: { lag_ms: number } } }).parts.log.lag_ms
    },
    residentMegabytes: (): number => residentMegabytes(child.pid),
    /** Core seconds since the start. */
    cpuSeconds: (): number => cpuSeconds(child.pid),
    async close(): Promise<void> {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      process.off('exit', kill)
    },
  }
}

export type ServiceProcess = Awaited<ReturnType<typeof startService>>

export function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

const ticksASecond = 100

function cpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / ticksASecond
}

async function isReady(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/health/ready`)).ok
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
