/** Over Kafka, as with the embedded log: a key stands for one body, in each process that comes back to its folder. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { attr, same, stream } from '../rules/acceptance.ts'

const schemas = {
  plain: { schema: 'used', streams: [stream('s', [attr('n', 9)])] },
  'with rules': {
    schema: 'used_rules',
    streams: [
      stream('first', [attr('n', 9)]),
      stream('s', [attr('n', 9), attr('before', 9)], {
        refr: [{ name: 'before', iatr: ['before'], rstm: 'first', ratr: ['n'], jqry: same('n') }],
      }),
    ],
  },
}

for (const [kind, schema] of Object.entries(schemas)) {
  withKafka.serial(`another body under a used key is refused over Kafka, also after kill -9 (${kind})`, async (t) => {
    t.timeout(300_000)
    t.teardown(killServices)
    const settings = { ...(await brokerOfRun()).settings, DATA_DIR: temporaryFolder() }
    let service = await spawnService(settings)
    await service.client.register(schema)
    const post = (body: string, key: string, type = 'application/json') =>
      service.client.post(`/stream/${schema.schema}/s`, body, { 'content-type': type, 'idempotency-key': key })
    const lines = '{"n":2}\n{"n":3}\n'
    const one = await post('{"n":1}', 'one')
    const many = await post(lines, 'many', 'application/x-ndjson')
    t.deepEqual([one.status, many.status], [200, 200], `${one.text} ${many.text}`)

    const isHeld = async (): Promise<void> => {
      for (const answer of [
        await post('{"n":9}', 'one'),
        await post(`${lines}{"n":9}\n`, 'many', 'application/x-ndjson'),
      ]) {
        t.deepEqual([answer.status, answer.body.errcode], [422, -4], answer.text)
      }
      t.is((await post('{"n":1}', 'one')).text, one.text)
      t.is((await post(lines, 'many', 'application/x-ndjson')).text, many.text)
      t.is(await service.client.count(`select count(*) from ${schema.schema}.s`), 3)
    }
    await isHeld()
    await service.end('SIGKILL')
    service = await spawnService(settings)
    await isHeld()
  })
}
