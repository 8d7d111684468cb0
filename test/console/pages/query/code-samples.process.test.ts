import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { samplesOf } from '../../../../console/pages/query/code-samples.ts'

const text = `select * from shop.visits where page = "it's $HOME \\"x\\"" \nlimit 5`

test('the sample for a shell sends the statement as it is, whatever stands in it', (t) => {
  const { curl } = samplesOf({ language: 'weir', text, database: 'mydb', origin: 'http://localhost:1', needsKey: true })
  const words = execFileSync('sh', ['-c', curl.replace(/^curl/, 'printf "%s\\n--\\n"')], {
    env: { ...process.env, WEIR_KEY: 'k' },
    encoding: 'utf8',
  }).split('\n--\n')
  t.deepEqual(words.slice(0, 5), ['-s', 'http://localhost:1/db/mydb/query', '-H', 'x-api-key: k', '-d'])
  t.deepEqual(JSON.parse(words[5] ?? ''), { sql: text })
})

test('the sample in JavaScript is a program that asks so', async (t) => {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => response.end(JSON.stringify({ seen: body, key: request.headers['x-api-key'] })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { js } = samplesOf({ language: 'weir', text, database: 'mydb', origin, needsKey: true })
  const logged: unknown[] = []
  // The sample as a function: its console and its environment are the test's.
  const run = new Function('console', 'process', `return (async () => {${js}})()`)
  await run({ log: (value: unknown) => logged.push(value) }, { env: { WEIR_KEY: 'k' } })
  t.deepEqual(logged, [{ seen: { sql: text }, key: 'k' }])
})

test('the sample in Python has the statement as a text, and reads the key from the environment where one is needed', (t) => {
  const asked = { language: 'sql', text: 'SELECT 1', database: 'mydb', origin: 'http://h', needsKey: true } as const
  const { python } = samplesOf(asked)
  t.regex(python, /^import json\nimport os\nimport requests/)
  t.true(python.includes('"http://h/sql"'))
  t.true(python.includes('json={"sql": "SELECT 1", "format": "JSONEachRow"}'))
  t.true(python.includes('os.environ["WEIR_KEY"]'))
  t.false(samplesOf({ ...asked, needsKey: false }).python.includes('environ'))
})

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}
