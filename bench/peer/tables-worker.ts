/** Makes the tables and views that Weir makes of a workload's schema, for the peer. */
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/embedded.ts'
import { migrate } from '../../infra/clickhouse/migrate.ts'
import { createSchema } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { answer } from '../answer.js'
import { workloads } from '../load/workloads.ts'
import type { TablesMessage } from './peer.ts'

answer(async ({ workload, path }: TablesMessage) => {
  const clickhouse = createEmbeddedClickHouse({ path, connections: 1 })
  await migrate(clickhouse)
  for (const statement of createSchema(decodeSchema(workloads[workload].schemaBody))) await clickhouse.run(statement)
  await clickhouse.close()
})
