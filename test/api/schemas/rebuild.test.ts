import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { cases, createInterference } from './rebuild-cases.ts'

const between = createInterference()
const service = await startService({}, silentLogger(), { clickhouse: between.clickhouse })
test.after.always(() => service.close())

async function failure(id: string): Promise<string | undefined> {
  const [run] = await between.rows<{ outcome: string }>(
    `SELECT outcome FROM weir.runs FINAL WHERE id = '${id}' AND state = 'failed'`,
  )
  return run?.outcome
}

for (const [title, run] of Object.entries(cases)) {
  test.serial(title, (t) => run(t, { client: service.client, between, failure }))
}
