import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { cases, createInterference } from './rebuild-cases.ts'

const between = createInterference()
const service = await startService({}, silentLogger(), { clickhouse: between.clickhouse })
test.after.always(() => service.close())

for (const [title, run] of Object.entries(cases)) test.serial(title, (t) => run(t, { client: service.client, between }))
