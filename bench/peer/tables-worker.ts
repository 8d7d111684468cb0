/** Makes the tables and views that Weir makes of a schema, for the peer. */
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../infra/clickhouse/migrate.ts'
import { createSchema } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { answer } from '../answer.js'
import type { TablesMessage } from './peer.ts'

answer(async ({ schemaBody, path }: TablesMessage) => {
  const clickhouse = createEmbeddedClickHouse({ path, connections: 1 })
  await migrate(clickhouse)
  for (const statement of createSchema(decodeSchema(schemaBody))) await clickhouse.run(statement)
  await clickhouse.close()
})
