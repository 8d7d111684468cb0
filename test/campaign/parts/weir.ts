import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../scripts/processes/ports.js'
import { until } from '../../support/until.ts'

const entry = fileURLToPath(new URL('../../../dist/api/main.js', import.meta.url))
const patience_ms = 300_000

/** Weir in a process of its own that can be killed at any moment, also amid its start; its port stays the same. */
export async function createWeir(name: string, log: string, settings: Readonly<Record<string, string>>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = (): void => void child?.kill('SIGKILL')
  process.once('exit', kill)

  const isUp = (process: ChildProcess): boolean => process.exitCode === null && process.signalCode === null

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = child
    if (!ended || !isUp(ended)) return
    const exited = once(ended, 'exit')
    ended.kill(signal)
    await exited
  }

  return {
    name,
    url,
    launch(): void {
      const output = openSync(log, 'a')
      child = spawn(process.execPath, [entry], {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          UV_THREADPOOL_SIZE: '48',
          CLICKHOUSE_HTTP_PORT: '0',
          LOG_LEVEL: 'info',
          NOTIFY_PRIVATE: '1',
          PORT: String(port),
          ...settings,
        },
        stdio: ['ignore', output, output],
      })
      closeSync(output)
    },
    /** Until it answers that all its parts are there; an error where it ended by itself. */
    async ready(): Promise<void> {
      const launched = child
      await until(
        `${name} is ready`,
        async () => {
          if (launched && !isUp(launched)) {
            throw new Error(
              `${name} ended by itself, code ${launched.exitCode}: ${readFileSync(log, 'utf8').slice(-2000)}`,
            )
          }
          return fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          )
        },
        patience_ms,
      )
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

export type Weir = Awaited<ReturnType<typeof createWeir>>
