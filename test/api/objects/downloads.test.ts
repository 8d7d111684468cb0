/** Downloads that their clients do not read hold a place each, of which there are so many. */
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import test from 'ava'
import { createDownloads } from '../../../api/objects/downloads.ts'
import { Fault } from '../../../base/faults.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

test('one user has a part of the places, all users the rest, and a place is given back once', (t) => {
  const downloads = createDownloads({ max: 3, ofOne: 2 })
  const [first] = [downloads.enter('ann'), downloads.enter('ann')]
  t.throws(() => downloads.enter('ann'), {
    instanceOf: Fault,
    message: /^2 downloads of this key or address are under way, of 3 in all/,
  })
  downloads.enter('bob')
  t.throws(() => downloads.enter('bob'), { message: /^3 downloads are under way, which is the most/ })
  first?.()
  first?.()
  downloads.enter('bob')
  t.throws(() => downloads.enter('ann'), { message: /^3 downloads/ })
})

test('more downloads of one address than there may be are refused until some have ended, and all else goes on', async (t) => {
  const { client, url, close } = await startService()
  t.teardown(close)
  await client.ok(client.post('/brs/bucket', { bucket_name: 'large' }))
  await client.ok(client.send('PUT', '/brs/large/object/o', Buffer.alloc(8 * 1024 * 1024)))
  const unread: ClientRequest[] = []
  const begin = async (): Promise<IncomingMessage> => {
    const request = get(`${url}/brs/large/object/o`, { agent: false })
    request.on('error', () => {})
    unread.push(request)
    const [answer] = await once(request, 'response')
    return answer
  }
  const answers = await Promise.all(Array.from({ length: 192 }, begin))
  t.true(answers.every(({ statusCode }) => statusCode === 200))
  const refused = await client.get('/brs/large/object/o')
  t.deepEqual([refused.status, refused.body.errcode, refused.headers.get('retry-after')], [503, -6, '5'])
  t.is((await client.send('HEAD', '/brs/large/object/o')).status, 200)
  t.is((await client.get('/health/ready')).status, 200)
  for (const request of unread.splice(0, 10)) request.destroy()
  await until('a place', async () => (await client.get('/brs/large/object/o')).status === 200, 10_000)
  for (const request of unread) request.destroy()
})
