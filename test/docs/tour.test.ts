/** docs/tour.md, each call of which is asked, in its order, of a service that the demo was loaded into. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { readTable } from '../../examples/airports/airports.ts'
import { freePort } from '../../scripts/processes/ports.js'
import { examplesOf, matches, runExample } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/tour.md', import.meta.url), 'utf8')

test('every example of the tour gives the answer that is shown, also after the demo that comes before it', async (t) => {
  const port = await freePort()
  const service = await startService({ CLICKHOUSE_HTTP_PORT: String(port) })
  t.teardown(service.close)
  await service.client.ok(service.client.post('/db/mydb/table', readTable()))
  const examples = examplesOf(page)
  t.true(examples.length > 20)
  for (const { command, answer } of examples) {
    const ask = async () => (await runExample(command, service.url, `http://127.0.0.1:${port}`)).trimEnd()
    let got = await ask()
    // On a busy machine the events may take longer than a query waits.
    for (let again = 0; again < 10 && /are not in ClickHouse after/.test(got); again++) got = await ask()
    t.true(matches(got, answer), `${command}\n  shown: ${answer}\n  got:   ${got}`)
  }
})
