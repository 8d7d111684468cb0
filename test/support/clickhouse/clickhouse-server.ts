import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { programOf } from '../program.ts'

export type TestClickHouseOptions = {
  /** Outlives the process: a restart finds its data again. */
  readonly folder: string
  /** A free one where it is not given; kept over restarts. */
  readonly port?: number
  readonly user?: string
  readonly password?: string
}

/**
 * A ClickHouse server for tests: chDB in a process of its own behind ClickHouse's HTTP protocol, since no registry has
 * the server's binary. Statements of any kind, inserts of text formats, settings in the URL.
 */
export async function startTestClickHouse({
  folder,
  port = 0,
  user = 'default',
  password = '',
}: TestClickHouseOptions) {
  let running = await start(port)
  process.once('exit', () => running.child.kill('SIGKILL'))

  async function start(wanted: number): Promise<{ child: ChildProcess; port: number }> {
    const child = spawn(process.execPath, programOf('test/support/clickhouse/clickhouse-server-main.ts'), {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        UV_THREADPOOL_SIZE: '16',
        FOLDER: folder,
        PORT: String(wanted),
        CLICKHOUSE_USER: user,
        CLICKHOUSE_PASSWORD: password,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const found = await new Promise<number>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (data: Buffer) => {
        said += data.toString('utf8')
        const ready = /ready on (\d+)/.exec(said)?.[1]
        if (ready !== undefined) resolve(Number(ready))
      })
      child.once('exit', (code) => reject(new Error(`the test ClickHouse ended with code ${code}`)))
    })
    // A test file ends though its server runs; the server ends with it.
    child.unref()
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

  let slowed: NodeJS.Timeout | undefined
  const account =
    user === 'default' && password === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  return {
    url: `http://${account}127.0.0.1:${running.port}`,
    /** Ends it cleanly. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    /** It keeps its connections and answers nothing. */
    pause: () => void running.child.kill('SIGSTOP'),
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
    /** Starts again on the same port and folder; ends it before where it still runs. */
    async restart(): Promise<void> {
      await end('SIGTERM')
      running = await start(running.port)
    },
  }
}

export type TestClickHouse = Awaited<ReturnType<typeof startTestClickHouse>>
