import { readFileSync } from 'node:fs'
import test from 'ava'
import { freePort } from '../../scripts/processes/ports.js'
import { examplesOf, matches, runExample } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/keys.md', import.meta.url), 'utf8')

test('every example of the page about keys gives the answer that is shown', async (t) => {
  const port = await freePort()
  const variables = { ADMIN_KEY: 'the-key-of-the-one-who-may-do-all', KEY: '', ID: '' }
  const service = await startService({
    API_KEYS: 'require',
    ADMIN_KEY: variables.ADMIN_KEY,
    CLICKHOUSE_HTTP_PORT: String(port),
  })
  t.teardown(service.close)
  const examples = examplesOf(page)
  t.true(examples.length > 7)
  for (const { command, answer } of examples) {
    const filled = Object.entries(variables).reduce(
      (text, [name, value]) => text.replaceAll(`$${name}`, value),
      command,
    )
    const ask = async () => (await runExample(filled, service.url, `http://127.0.0.1:${port}`)).trimEnd()
    let got = await ask()
    // Analysts' SQL does not wait for events.
    for (let again = 0; again < 50 && got === '0'; again++) got = await ask()
    t.true(matches(got, answer), `${command}\n  shown: ${answer}\n  got:   ${got}`)
    const [, id, key] = /"id":"([^"]+)","key":"([^"]+)"/.exec(got) ?? []
    if (id !== undefined && key !== undefined) Object.assign(variables, { ID: id, KEY: key })
  }
})
