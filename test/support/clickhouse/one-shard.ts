import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from 'chdb'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createClusterClickHouse } from '../../../infra/clickhouse/cluster.ts'
import { bind } from '../../../sql/statement.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const cluster = 'one'

const config = `<clickhouse>
  <tcp_port>9000</tcp_port>
  <remote_servers>
    <${cluster}><shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard></${cluster}>
  </remote_servers>
</clickhouse>
`

/** A statement without the clauses for which chDB needs Keeper: it runs on the one node, and parts have no replicas. */
const alone = (text: string): string =>
  text
    .replaceAll(` ON CLUSTER \`${cluster}\``, '')
    .replace('ENGINE = Replicated', 'ENGINE = ')
    .replace(
      /\breplicated_deduplication_window = (\d+), replicated_deduplication_window_seconds = \d+/,
      'non_replicated_deduplication_window = $1',
    )

/** Makes embedded ClickHouse a cluster of one shard: the first session of a process says what the server is. */
export function oneShard(folder: string): (clickhouse: ClickHouse) => ClickHouse {
  const file = join(temporaryFolder(), 'cluster.xml')
  writeFileSync(file, config)
  const path = join(folder, 'clickhouse')
  mkdirSync(path, { recursive: true })
  const first = new Session(path, { connectionArgs: [`--config-file=${file}`] })
  return (clickhouse) => ({
    ...createClusterClickHouse(
      {
        ...clickhouse,
        run: (statement) => clickhouse.run(alone(typeof statement === 'string' ? statement : bind(statement))),
      },
      cluster,
    ),
    async close() {
      first.close()
      await clickhouse.close()
    },
  })
}
