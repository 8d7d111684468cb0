/**
 * `node --import=tsx bench/kafka/starts.ts [--streams 64] [--rules] [--how stop,kill] [--dist <folder>] [--delay_ms 0] [--folder <folder>]`:
 * starts over a real Kafka, of a service that has so many streams with events in each. Prints the times from the start
 * of the process until it takes an event, until a query of an idle stream is answered, until queries of all streams are,
 * and until each stream has taken an event that came after the start. `--dist`: another build than this tree's. `--folder`:
 * keeps broker and service there, and begins with what an earlier run has left.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureKafka, startKafka } from '../../scripts/parts/kafka.js'
import { freePort } from '../../scripts/processes/ports.js'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '64' },
    rules: { type: 'boolean', default: false },
    how: { type: 'string', default: 'stop,kill' },
    dist: { type: 'string', default: 'dist' },
    delay_ms: { type: 'string', default: '0' },
    limit_s: { type: 'string', default: '120' },
    folder: { type: 'string' },
  },
})
const count = Number(values.streams)
const names = Array.from({ length: count }, (_, n) => `s${n}`)
/** The flags of `npm start`. */
const flags = ['--max-semi-space-size=64']
const perStream = 5
const limit_ms = Number(values.limit_s) * 1000

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'weir-starts-'))
mkdirSync(join(folder, 'kafka'), { recursive: true })
const jars = await ensureKafka()
if (jars === undefined) throw new Error('no Kafka here')
const broker = await startKafka({
  jars,
  folder: join(folder, 'kafka'),
  properties: { 'group.initial.rebalance.delay.ms': values.delay_ms },
})
const port = await freePort()
const base = `http://127.0.0.1:${port}`

type Started = { readonly child: ChildProcess; readonly began_ms: number }

function start(): Started {
  const began_ms = performance.now()
  const child = spawn(process.execPath, [...flags, join(values.dist, 'api/main.js')], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      CLICKHOUSE_HTTP_PORT: '0',
      LOG_LEVEL: 'info',
      UV_THREADPOOL_SIZE: '48',
      KAFKA_BROKERS: broker.brokers,
    },
    stdio: ['ignore', 'ignore', openSync(join(folder, 'weir.log'), 'a')],
  })
  return { child, began_ms }
}

async function call(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(60_000) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + limit_ms; performance.now() < end; ) {
    if (await isTrue().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  console.error(
    JSON.stringify(await call(`/stream/${names[0]}/e/count`).catch(String)),
    JSON.stringify(await call('/health/ready').catch(String)),
  )
  throw new Error(`not within ${limit_ms} ms: ${what}`)
}

const counted = async (name: string): Promise<number> => {
  const { status, body } = await call(`/stream/${name}/e/count`)
  return status === 200 ? Number(body.count) : -1
}

/** With `--rules` each schema has a pattern, whose memory comes back from its changelog at the start. */
const rising = {
  name: 'rising',
  type: 1,
  iatr: ['k', 'x'],
  rstm: 'e',
  ratr: ['x'],
  ostm: 'rises',
  jqry: { cond: ['k', 'x'], args: ['k', 'x'], cmp: ['EQ', 'LT'] },
  cond: [{ name: 'NUMT', val: 1 }],
}

const schemaOf = (schema: string) => ({
  schema,
  streams: [
    {
      name: 'e',
      type: 1,
      attr: [
        { name: 'k', type: 5, stat: 'COUNT' },
        { name: 'x', type: 9, stat: 'RSTAT' },
      ],
      ...(values.rules && { cepq: [rising] }),
    },
    ...(values.rules ? [{ name: 'rises', type: 3, attr: [] }] : []),
  ],
})

async function end({ child }: Started, how: string): Promise<void> {
  child.kill(how === 'kill' ? 'SIGKILL' : 'SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Of user and system, in seconds. */
function cpuOf({ pid }: ChildProcess): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number)
  return (user + system) / 100
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

let service = start()
process.once('exit', () => service.child.kill('SIGKILL'))
try {
  await until('the first start', async () => (await call('/health/ready')).status === 200)
  const began_ms = performance.now()
  for (const name of names) {
    if ((await call(`/stream/${name}/info`)).status === 200) continue
    const { status, body } = await call('/stream', schemaOf(name))
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  console.log(`registered ${count} in ${seconds(performance.now() - began_ms)} s`)
  const post = async (name: string) => (await call(`/stream/${name}/e`, { k: 'a', x: 1 })).status === 200
  const before = await Promise.all(names.map(counted))
  let expected = Math.max(...before) + perStream
  const fill = async (name: string, there: number) => {
    for (let n = there; n < expected; n++) (await post(name)) || (await Promise.reject(new Error(`${name} refused`)))
  }
  await Promise.all(names.map((name, n) => fill(name, before[n] ?? 0)))
  for (const name of names) await until(`${name} has its events`, async () => (await counted(name)) === expected)

  for (const how of values.how.split(',')) {
    await end(service, how)
    service = start()
    const since = () => performance.now() - service.began_ms
    const last = names.at(-1) ?? ''
    await until('an event is taken', () => post(last))
    const taken_ms = since()
    const idle = names[Math.floor(count / 2)] ?? ''
    await until('an idle stream answers', async () => (await counted(idle)) === expected)
    const idle_ms = since()
    for (const name of names.slice(0, -1))
      await until(`${name} answers`, async () => (await counted(name)) === expected)
    const [all_ms, answeredCpu_s] = [since(), cpuOf(service.child)]
    for (const name of names.slice(0, -1)) await until(`${name} takes`, () => post(name))
    expected++
    await Promise.all(
      names.map((name) => until(`${name} has its new event`, async () => (await counted(name)) === expected)),
    )
    const fed_ms = since()
    await until('ready', async () => (await call('/health/ready')).status === 200)
    const ready_ms = since()
    if (process.env.THREADS) {
      const of = new Map<string, number>()
      for (const id of readdirSync(`/proc/${service.child.pid}/task`)) {
        const text = readFileSync(`/proc/${service.child.pid}/task/${id}/stat`, 'utf8')
        const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
        const [user, system] = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .slice(11, 13)
          .map(Number)
        of.set(name, (of.get(name) ?? 0) + (user ?? 0) + (system ?? 0))
      }
      console.log(
        [...of]
          .sort((a, b) => b[1] - a[1])
          .slice(0, 12)
          .map(([name, ticks]) => `${name} ${ticks / 100}`)
          .join(', '),
      )
    }
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]
    console.log(
      `${how} ${count}: taken ${seconds(taken_ms)} s, idle answered ${seconds(idle_ms)} s, all answered ${seconds(all_ms)} s, new events in all ${seconds(fed_ms)} s, ready ${seconds(ready_ms)} s; cpu ${answeredCpu_s} s till all answered, ${cpuOf(service.child)} s in all, ${Math.round(Number(memory) / 1024)} MB`,
    )
  }
} finally {
  service.child.kill('SIGKILL')
  await broker.kill()
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
