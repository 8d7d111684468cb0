import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { suspend } from '../../../scripts/processes/suspend.js'
import { programOf } from '../program.ts'
import type { Fault } from './server/faults.ts'
import type { Order } from './server/main.ts'
import type { Quota } from './server/quota.ts'

export type TestClickHouseOptions = {
  /** Outlives the process: a restart finds its data again. */
  readonly folder: string
  /** A free one where it is not given; kept over restarts. */
  readonly port?: number
  readonly user?: string
  readonly password?: string
  /** After which it closes an idle connection. */
  readonly keepAlive_ms?: number
  /** Statements at a time. */
  readonly maxQueries?: number
  /** How often it tells progress, instead of what the client asks for. */
  readonly progress_ms?: number
  /** Whether statements may make users; without that they are refused as chDB refuses them. */
  readonly accounts?: boolean
  /** Settings where the client names none, such as `--async_insert=1`. */
  readonly profile?: readonly string[]
}

const kills = new Set<() => void>()
process.once('exit', () => {
  for (const kill of kills) kill()
})

/**
 * A ClickHouse server for tests: chDB in a process of its own behind ClickHouse's HTTP interface (`server/`), since no registry
 * has the server's binary.
 */
export async function startTestClickHouse({
  folder,
  port = 0,
  user = 'default',
  password = '',
  keepAlive_ms,
  maxQueries,
  progress_ms,
  accounts = false,
  profile,
}: TestClickHouseOptions) {
  let running = await start(port)
  kills.add(() => running.child.kill('SIGKILL'))

  async function start(wanted: number): Promise<{ child: ChildProcess; port: number }> {
    const child = spawn(process.execPath, programOf('test/support/clickhouse/server/main.ts'), {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        UV_THREADPOOL_SIZE: '16',
        FOLDER: folder,
        PORT: String(wanted),
        CLICKHOUSE_USER: user,
        CLICKHOUSE_PASSWORD: password,
        ...(keepAlive_ms !== undefined && { KEEP_ALIVE_MS: String(keepAlive_ms) }),
        ...(maxQueries !== undefined && { MOST_QUERIES: String(maxQueries) }),
        ...(progress_ms !== undefined && { PROGRESS_MS: String(progress_ms) }),
        ...(accounts && { ACCOUNTS: '1' }),
        ...(profile && { PROFILE: profile.join(' ') }),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const found = await new Promise<number>((resolve, reject) => {
      let said = ''
      child.stdout?.on('data', (data: Buffer) => {
        said += data.toString('utf8')
        const ready = /ready on (\d+)/.exec(said)?.[1]
        if (ready !== undefined) resolve(Number(ready))
      })
      child.once('exit', (code) => reject(new Error(`the test ClickHouse ended with code ${code}`)))
    })
    // A test file ends though its server runs; the server ends with it.
    child.unref()
    child.channel?.unref()
    if (child.stdout instanceof Socket) child.stdout.unref()
    return { child, port: found }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const exited = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await exited
  }

  type Told = { readonly met: number; readonly granted: readonly string[] }

  /** Resolves once the server has taken it. */
  async function told(wanted: Order): Promise<Told> {
    const { child } = running
    child.channel?.ref()
    try {
      const taken = once(child, 'message')
      child.send(wanted)
      const [answer] = (await taken) as [Told]
      return answer
    } finally {
      child.channel?.unref()
    }
  }

  /** To the number of statements that met a fault or were beyond a quota. */
  const order = async (wanted: Order): Promise<number> => (await told(wanted)).met

  let slowed: NodeJS.Timeout | undefined
  const account =
    user === 'default' && password === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return {
    url: `http://${account}127.0.0.1:${running.port}`,
    /** Ends it cleanly. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    /** It keeps its connections and answers nothing, from when this resolves. */
    pause: () => suspend(running.child),
    resume(): void {
      clearInterval(slowed)
      slowed = undefined
      running.child.kill('SIGCONT')
    },
    /** Works for a tenth of the time, until it is resumed. */
    slow(): void {
      const turn = setInterval(() => {
        running.child.kill('SIGCONT')
        setTimeout(() => {
          if (slowed === turn) running.child.kill('SIGSTOP')
        }, 30)
      }, 300)
      slowed = turn
    },
    /** Makes it do this with the next statements. */
    fault: (fault: Fault) => order({ add: fault }),
    clearFaults: () => order({ do: 'clear' }),
    /** From now on its user has this quota, or none. */
    quota: (quota?: Quota) => order({ quota: quota ?? null }),
    /** How many statements met a fault or were beyond a quota since it was started. */
    faultsMet: () => order({ do: 'count' }),
    /** The places that users of statements were granted. */
    granted: async () => (await told({ do: 'count' })).granted,
    closeIdle: () => order({ do: 'close idle' }),
    /** Starts again on the same port and folder; ends it before where it still runs. */
    async restart(): Promise<void> {
      await end('SIGTERM')
      running = await start(running.port)
    },
  }
}

export type TestClickHouse = Awaited<ReturnType<typeof startTestClickHouse>>
