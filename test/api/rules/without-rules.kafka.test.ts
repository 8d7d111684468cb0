/**
 * A process takes the rules of a schema away and brings them back, while another one takes events under them: over Kafka
 * the topic of their turns is deleted and made anew.
 */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const pattern = {
  name: 'rising',
  type: 1,
  iatr: ['k', 'n'],
  rstm: 'st',
  ratr: ['n'],
  jqry: { cond: ['k', 'n'], args: ['k', 'n'], cmp: ['EQ', 'LT'] },
  cond: [{ name: 'NUMT', val: 2 }],
  ostm: 'rises',
}

const attr = [
  { name: 'k', type: 'STRING' },
  { name: 'n', type: 'LONG' },
]
const schemaWith = (rules: object) => ({
  schema: 'turns',
  streams: [
    { name: 'st', type: 1, swsz: 0, attr, ...rules },
    { name: 'rises', type: 3, inpt: ['st'], attr },
  ],
})
const ruled = schemaWith({ cepq: [pattern] })
const plain = schemaWith({})

withKafka(
  'a process reads what it has just sent after another one took rules away and brought them back',
  async (t) => {
    t.timeout(300_000)
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server') })
    t.teardown(() => server.kill())
    const { settings } = await brokerOfRun()
    const shared = { DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...settings }
    const [editor, other] = [await spawnService(shared), await spawnService(shared)]
    await editor.client.register(ruled)
    const count = 'select count(*) from turns.st'
    let sent = 0
    const send = async (events: number): Promise<void> => {
      const lines = Array.from({ length: events }, () => ({ k: 'a', n: ++sent }))
      t.is((await other.client.lines('turns.st', lines)).accepted, events)
      t.is(await other.client.count(count), sent, 'the process reads what it has just sent')
    }
    await send(1_000)
    for (let round = 0; round < 3; round++) {
      for (const schema of [plain, ruled]) t.is((await editor.client.send('PUT', '/stream', schema)).status, 200)
      await send(1)
      await send(5)
    }
    const rows = await other.client.count('select count(*) from turns.rises')
    t.true(rows > 0)
  },
)
