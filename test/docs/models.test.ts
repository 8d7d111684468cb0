/** docs/models.md, each call of which is asked in its order; a training that it begins is waited for. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf, matches, runExample } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const page = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8')

test('every example of the page on models gives the answer that is shown', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const { client } = service
  const examples = examplesOf(page)
  t.true(examples.length >= 4)
  for (const { command, answer } of examples) {
    const got = (await runExample(command, service.url, '')).trimEnd()
    t.true(matches(got, answer), `${command}\n  shown: ${answer}\n  got:   ${got}`)
    if (!command.includes('/ml/train')) continue
    const model = /"model_name":"(\w+)"/.exec(command)?.[1]
    await until(
      `the training of ${model} has ended`,
      async () => (await client.ok(client.get(`/ml/demo/${model}/status`))).train_req_state === 25,
      150_000,
    )
  }
})
