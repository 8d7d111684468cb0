/** The client for Python beside a service of its own. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { ensureHttpx } from '../../../scripts/parts/httpx.js'
import { freePort } from '../../../scripts/processes/ports.js'
import { matches } from '../../support/examples.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)
const client = join(process.cwd(), 'clients/python')
const packages = await ensureHttpx()
const environment = (url: string) => ({
  ...process.env,
  WEIR_URL: url,
  PYTHONPATH: [packages ?? '', client].join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
})
test.after.always(killServices)
const withPython = packages === undefined ? test.skip : test

withPython('its own tests pass, without and with asyncio', async (t) => {
  t.timeout(300_000)
  const { url } = await spawnService({ DATA_DIR: temporaryFolder() })
  const { stderr } = await run('python3', ['-m', 'unittest', '-v', 'tests.test_client'], {
    cwd: client,
    env: environment(url),
  })
  t.regex(stderr, /^OK$/m)
  t.notRegex(stderr, /skipped/)
})

withPython('the client without asyncio is made of the one with it', (t) => {
  const script = "import make_sync; print(make_sync.made(), end='')"
  const { stdout } = spawnSync('python3', ['-c', script], { cwd: client, encoding: 'utf8', env: environment('') })
  t.is(stdout, readFileSync(join(client, 'weir_client/sync.py'), 'utf8'))
})

withPython('kill -9 amid send_many, twice: all events are there once', async (t) => {
  t.timeout(300_000)
  const settings = { DATA_DIR: temporaryFolder(), PORT: String(await freePort()) }
  let service = await spawnService(settings)
  const total = 20_000
  const program = `
import sys, time
from weir_client import Weir
weir = Weir()
weir.schemas.put({"schema": "load", "streams": {"e": {"keep": "forever", "attributes": {"n": "integer"}}}})
def events():
    for n in range(${total}):
        if n % 100 == 0:
            time.sleep(0.005)
        if n in (5_000, 12_000):
            print(n, flush=True)
        yield {"n": n}
sent = weir.stream("load", "e").send_many(events(), max_bytes=10_000)
print(sent.accepted, sent.rejected, list(weir.sql("SELECT count() AS total, uniqExact(n) AS different FROM load.e")), flush=True)
`
  let [said, kills]: [string, Promise<void>] = ['', Promise.resolve()]
  const sending = run('python3', ['-c', program], { env: environment(service.url) })
  sending.child.stdout?.on('data', (part: string) => {
    said += part
    if (!/^\d+\n$/.test(part)) return
    kills = kills.then(async () => {
      await service.end('SIGKILL')
      await sleep(300)
      service = await spawnService(settings)
    })
  })
  await sending
  await kills
  t.is(said.split('\n').at(-2), `${total} 0 [{'total': ${total}, 'different': ${total}}]`)
})

withPython('the program of docs/clients.md prints what the page shows', async (t) => {
  const { url } = await spawnService({ DATA_DIR: temporaryFolder() })
  const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8')
  const [, program = '', shown = ''] = /```python\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page) ?? []
  t.not(program, '')
  const file = join(temporaryFolder(), 'program.py')
  writeFileSync(file, program.replace('http://localhost:18080', url))
  const { stdout } = await run('python3', [file], { env: environment(url) })
  t.true(matches(stdout.trimEnd(), shown.trimEnd()), stdout)
})
