/** The statements that make a schema: read by eye in `examples/*.sql`, and run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { matchesGolden } from '../../../support/golden.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const folder = new URL('./examples/', import.meta.url)

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const schema = decodeSchema(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))

  test(`${file} is made by the statements beside it`, (t) => {
    const text = createSchema(schema)
      .map((statement) => `${statement};\n`)
      .join('\n')
    matchesGolden(t, text, new URL(file.replace('.json', '.sql'), folder))
  })

  test(`ClickHouse takes the statements of ${file}, in their order and again`, async (t) => {
    for (const statement of [...createSchema(schema), ...createSchema(schema)]) {
      await t.notThrowsAsync(clickhouse.run(statement), statement)
    }
    const names = await clickhouse.rows<{ name: string }>({
      text: 'SELECT name FROM system.tables WHERE database = {schema:String}',
      params: { schema: schema.name },
    })
    for (const { name } of schema.streams)
      t.true(
        names.some((table) => table.name === name),
        name,
      )
  })
}
