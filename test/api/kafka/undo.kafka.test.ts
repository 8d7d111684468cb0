/** A schema, and a stream, that is deleted with undo and comes back, on Kafka: topics are made anew, and tables have positions. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { startService } from '../../support/service.ts'
import { answersOf, shop, visits } from '../deletion/shop.ts'

withKafka(
  'a schema that comes back, and a stream, has its events, and counts those that follow once each',
  async (t) => {
    t.timeout(600_000)
    const service = await startService((await brokerOfRun()).settings)
    t.teardown(service.close)
    const { client } = service
    await client.register(shop('back'))
    await client.lines('back.visits', visits(0))
    for (const path of ['/stream/back', '/stream/back/visits']) {
      await client.ok(client.send('DELETE', `${path}?undo=1`))
      await client.ok(client.send('POST', `${path}/undelete`))
    }
    t.is(await client.count('select count(*) from back.visits'), 20)
    await client.lines('back.visits', visits(20))
    t.is(await client.count('select count(*) from back.visits'), 40)
    await client.register(shop('same'))
    for (const first of [0, 20]) await client.lines('same.visits', visits(first))
    const [back, same] = [await answersOf(client, 'back'), await answersOf(client, 'same')]
    for (const [sql, answer] of Object.entries(back)) {
      if (sql.startsWith('select') || sql === 'graph') t.deepEqual(answer, same[sql.replace('back', 'same')], sql)
    }
  },
)
