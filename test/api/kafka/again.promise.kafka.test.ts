/** A topic that comes again begins at offset 0: tables that stay must not take its events for some that they have. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { startService } from '../../support/service.ts'

const stays = { name: 'stays', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }
const goes = {
  name: 'goes',
  type: 1,
  swsz: 0,
  attr: [
    { name: 'who', type: 'STRING' },
    { name: 'n', type: 'LONG', stat: 'RSTAT' },
  ],
  rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }],
}

withKafka(
  'a stream, or a schema, that comes again counts from its first event in usage and in its graph',
  async (t) => {
    t.timeout(600_000)
    const service = await startService((await brokerOfRun()).settings)
    t.teardown(service.close)
    const { client } = service
    const schema = { schema: 'again', streams: [stays, goes] }
    const post = async (count: number): Promise<void> => {
      await client.lines(
        'again.goes',
        Array.from({ length: count }, (_, n) => ({ who: 'a', n })),
      )
      t.is(await client.count('select count(*) from again.goes'), count)
    }
    const usage = async (): Promise<number> => {
      const [row] = await client.rows('select usage from weir_stream')
      return JSON.parse(String(row?.v)).aggr_val.sum
    }
    const triples = async (): Promise<number> =>
      (await client.ok(client.graph('again.stays', 's=>(*)-[HAS]->(*)'))).num_items

    await client.register(schema)
    await post(7)
    t.deepEqual([await usage(), await triples()], [7, 7])

    await client.ok(client.send('PUT', '/stream?force=1', { schema: 'again', streams: [stays] }))
    const left = await triples()
    await client.ok(client.send('PUT', '/stream', schema))
    await post(5)
    t.deepEqual([await usage(), await triples()], [12, left + 5])

    await client.ok(client.send('DELETE', '/stream/again'))
    await client.register(schema)
    await post(3)
    t.deepEqual([await usage(), await triples()], [15, 3])
  },
)
