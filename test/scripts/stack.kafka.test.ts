import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext, type Implementation } from 'ava'
import { ensureDist } from '../../scripts/dist.js'
import { ensureTemporal } from '../../scripts/parts/temporal.js'
import { freePort } from '../../scripts/processes/ports.js'
import { withKafka } from '../support/parts/kafka.ts'
import { createClient } from '../support/requests/client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const example = (file: string) => readFileSync(`${root}/examples/shop/${file}`, 'utf8')
ensureDist() // or three stacks would each build it
const temporal = await ensureTemporal()

function withStack(title: string, run: Implementation<[]>): void {
  if (temporal === undefined) test.skip(`${title} (no Temporal here: see above)`, run)
  else withKafka(title, run)
}

async function settings(folder: string): Promise<NodeJS.ProcessEnv> {
  const [weir, kafka, temporal, ui] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const ports = { PORT: `${weir}`, KAFKA_PORT: `${kafka}`, TEMPORAL_PORT: `${temporal}`, TEMPORAL_UI_PORT: `${ui}` }
  return { PATH: process.env.PATH, HOME: process.env.HOME, UV_THREADPOOL_SIZE: '48', DATA_DIR: folder, ...ports }
}

function startStack(t: ExecutionContext, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['scripts/stack.js'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(child, 'close')
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString('utf8')
  })
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`the stack ended with code ${child.exitCode}: ${said}`)
    return said.includes('Ctrl-C')
  }
  return {
    ready: () => until('ready', isReady, 160_000),
    /** Its exit code and what it said, once it and all that it started are gone. */
    async end(signal?: NodeJS.Signals) {
      if (signal) child.kill(signal)
      await closed
      return { code: child.exitCode, said }
    },
  }
}

/** Kafka and Temporal, which have their folder among their arguments. */
function programsOn(folder: string): { pid: number; args: string }[] {
  const { stdout } = spawnSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.includes(folder))
  return lines.map((args) => ({ pid: Number.parseInt(args, 10), args }))
}

withStack(
  'the stack serves, ends cleanly, comes up again with what it kept, and ends when a part of it dies',
  async (t) => {
    t.timeout(425_000)
    const folder = temporaryFolder()
    const env = await settings(folder)
    const client = createClient(`http://127.0.0.1:${env.PORT}`)
    const first = startStack(t, env)
    await first.ready()
    t.true((await fetch(`http://127.0.0.1:${env.TEMPORAL_UI_PORT}`)).ok)
    t.is(programsOn(folder).length, 2)
    await client.ok(client.post('/stream', JSON.parse(example('schema.json'))))
    const headers = { 'content-type': 'application/x-ndjson' }
    await client.ok(client.post('/stream/shop/visits', example('visits.ndjson'), headers))
    const end = await first.end('SIGTERM')
    t.is(end.code, 0, end.said)
    t.deepEqual(programsOn(folder), [])

    const second = startStack(t, env)
    await second.ready()
    const counted = await client.post('/db/mydb/query', { sql: 'select count(*) from shop.visits' })
    t.deepEqual(counted.body, { retval: 5 })
    const kafka = programsOn(folder).find(({ args }) => args.includes('kafka.Kafka'))
    process.kill(kafka?.pid ?? 0, 'SIGKILL')
    const death = await second.end()
    t.is(death.code, 1)
    t.regex(death.said, /^Kafka was ended by SIGKILL; .*kafka\.log ends with:$/m)
    t.deepEqual(programsOn(folder), [])
  },
)

test('a stack that is given a Kafka or a Temporal says that it brings its own', async (t) => {
  const env = { ...(await settings(temporaryFolder())), KAFKA_BROKERS: '127.0.0.1:9092' }
  const { code, said } = await startStack(t, env).end()
  t.is(code, 1)
  t.regex(said, /KAFKA_BROKERS: npm run stack brings its own server; unset it, or use npm start\n$/)
})

test('a stack without Java and Go says in a line each what to install', async (t) => {
  const nothing = temporaryFolder()
  const { code, said } = await startStack(t, { ...(await settings(nothing)), PATH: nothing, HOME: nothing }).end()
  t.is(code, 1)
  t.regex(said, /NO KAFKA: .* there is no java here \(https:\S+\)\n/)
  t.regex(said, /NO TEMPORAL: .* there is no Go here \(https:\S+\)\n/)
})
