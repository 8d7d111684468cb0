import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf, matches, runExample } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')
const schema = readFileSync(new URL('../../examples/shop/schema.json', import.meta.url), 'utf8')

test('every example of the page about operation gives the answer that is shown', async (t) => {
  const { client, url, close } = await startService()
  t.teardown(close)
  t.is((await client.post('/stream', schema)).status, 200)
  t.is((await client.send('PUT', '/stream/shop/visits/state', { state: 0 })).status, 200)
  const examples = examplesOf(page)
  t.true(examples.length > 1)
  for (const { command, answer } of examples) {
    const got = (await runExample(command, url, url)).trimEnd()
    t.true(matches(got, answer), `${command}\n  shown: ${answer}\n  got:   ${got}`)
  }
})

test('the pages about deployment and operation name commands and settings that are there', (t) => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const table = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  const deploy = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8')
  const both = page + deploy
  const names = [...both.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name)
  t.deepEqual(
    names.filter((name) => manifest.scripts[name] === undefined),
    [],
  )
  const settings = [...both.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name)
  const elsewhere = new Set([
    'WEIR_URL',
    'UV_THREADPOOL_SIZE',
    'METRICS_KEY',
    'KAFKA_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    'WEIR_COMMIT',
  ])
  const isStandard = (name: string) => name.startsWith('OTEL_')
  t.deepEqual(
    settings.filter((name) => !elsewhere.has(name) && !isStandard(name) && !table.includes(name)),
    [],
  )
})
