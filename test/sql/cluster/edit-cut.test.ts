/** On a cluster a table changes places in two steps, the part and the table over it: an edit may be cut off between them. */
import { join } from 'node:path'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { createSchema } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { oneShard } from '../../support/clickhouse/one-shard.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const onCluster = oneShard(folder)
const node = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
const clickhouse = onCluster(node)
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const schemaOf = (stat: string) =>
  decodeSchema({
    schema: 'cut',
    streams: [
      {
        ...{ name: 's', type: 1, swsz: 0 },
        attr: [
          { name: 'n', type: 9, stat: 'COUNT' },
          { name: 'x', type: 9, stat },
        ],
      },
    ],
  })
const change = { from: schemaOf('NONE'), to: schemaOf('COUNT') }

async function names(of: 'columns' | 'tables', where: string): Promise<string[]> {
  const text = `SELECT name FROM system.${of} WHERE database = 'cut' AND ${where} ORDER BY name`
  return (await node.rows<{ name: string }>({ text, params: {} })).map(({ name }) => name)
}

for (const isCutBack of [false, true]) {
  test.serial(
    `an edit that is cut off ${isCutBack ? 'on its way back' : 'on its way'} leaves the tables of before`,
    async (t) => {
      const run = async (statements: readonly string[]) => {
        for (const statement of statements) await clickhouse.run(statement)
      }
      const plan = planEdit(change, new Set(), 'edit')
      const [mark = '', exchange] = plan.replace
      t.is(exchange, 'EXCHANGE TABLES `cut`.`s__60` AND `cut`.`s__60___next`')
      const ofParts = 'EXCHANGE TABLES `cut`.`s__60___local` AND `cut`.`s__60___next___local`'
      await run([...createSchema(change.from), ...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth, ...plan.fill])
      await run([...plan.dropFeeds, mark])
      if (isCutBack) await run([exchange ?? ''])
      await node.run(ofParts)

      await run(plan.dropFeeds)
      if (!isCutBack) await run(plan.giveBack(new Set(['cut.s__60'])))
      await run(plan.restore(new Set(await names('tables', 'true'))))
      for (const table of ['s__60', 's__60___local']) {
        t.deepEqual(await names('columns', `table = '${table}'`), ['_cnt_n', '_interval'], table)
      }
      t.deepEqual(await names('tables', "match(name, '___(next|past)')"), [])
      await clickhouse.run('INSERT INTO `cut`.`s__60` (_interval, _cnt_n) VALUES (0, 1)')
    },
  )
}
