import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../scripts/processes/ports.js'
import { type Loss, type Lost, losePower, traceCommand, tracedProcess } from '../../support/power-cut.ts'
import { until } from '../../support/until.ts'

const entry = fileURLToPath(new URL('../../../dist/api/main.js', import.meta.url))
const clockSetter = fileURLToPath(new URL('./set-clock.js', import.meta.url))
const patience_ms = 300_000

/** Weir in a process of its own that can be killed at any moment, also amid its start; its port stays the same. */
export async function createWeir(
  name: string,
  log: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const trace = `${log}.trace`
  const clock = `${log}.clock`
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let isTraced = false
  /** Whether the campaign has ended it: an end of its own is a fault. */
  let isToEnd = true
  // strace passes a SIGTERM on, and would be killed without the process that it traces.
  process.once('exit', () => void child?.kill(isTraced ? 'SIGTERM' : 'SIGKILL'))

  const isUp = (process: ChildProcess): boolean => process.exitCode === null && process.signalCode === null

  const endedItself = ({ exitCode, signalCode }: ChildProcess): Error =>
    new Error(`${name} ended by itself, ${exitCode ?? signalCode}: ${readFileSync(log, 'utf8').slice(-2000)}`)

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = child
    if (!ended) return
    if (!isUp(ended)) {
      if (!isToEnd) throw endedItself(ended)
      return
    }
    isToEnd = true
    const exited = once(ended, 'exit')
    if (isTraced) process.kill(tracedProcess(trace), signal)
    else ended.kill(signal)
    await exited
  }

  return {
    name,
    url,
    folder,
    launch(how: 'plain' | 'traced' = 'plain'): void {
      const output = openSync(log, 'a')
      isTraced = how === 'traced'
      isToEnd = false
      const [program = '', ...before] = [
        ...(isTraced ? traceCommand(trace) : []),
        ...[process.execPath, '--import', clockSetter, entry],
      ]
      child = spawn(program, before, {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          UV_THREADPOOL_SIZE: '48',
          CLICKHOUSE_HTTP_PORT: '0',
          LOG_LEVEL: 'info',
          NOTIFY_PRIVATE: '1',
          WEIR_CAMPAIGN_CLOCK: clock,
          // So that bodies above it are quickly made, and a user's model that takes all that it may takes little.
          MAX_BODY_MB: '2',
          PY_MODEL_MB: '200',
          PY_MODEL_S: '1',
          PORT: String(port),
          DATA_DIR: folder,
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
          if (launched && !isUp(launched)) throw endedItself(launched)
          return fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          )
        },
        patience_ms,
      )
    },
    /** Launches it where it cannot start; its exit, and what it said until then. Undefined where it is ready all the same. */
    async refused(): Promise<{ readonly code: number | null; readonly said: string } | undefined> {
      const from = statSync(log, { throwIfNoEntry: false })?.size ?? 0
      this.launch()
      isToEnd = true
      const launched = child
      return until(
        `${name} has ended or is ready`,
        async () => {
          if (launched && !isUp(launched)) {
            return { ended: { code: launched.exitCode, said: readFileSync(log).subarray(from).toString('utf8') } }
          }
          return fetch(`${url}/health/ready`).then(
            ({ ok }) => ok && {},
            () => false as const,
          )
        },
        patience_ms,
      ).then((state: { ended?: { code: number | null; said: string } }) => state.ended)
    },
    /** Sets its wall clock ahead of the computer's, or behind it, while it runs. */
    setClock: (ahead_ms: number): void => writeFileSync(clock, String(ahead_ms)),
    kill: () => end('SIGKILL'),
    /** Kills a process that was launched `traced`, and takes from its folder all that its machine would lose with its power. */
    async cutPower(lossOf: (path: string) => Loss): Promise<Lost> {
      await end('SIGKILL')
      const lost = await losePower(trace, folder, lossOf)
      rmSync(trace)
      return lost
    },
    stop: () => end('SIGTERM'),
  }
}

export type Weir = Awaited<ReturnType<typeof createWeir>>
