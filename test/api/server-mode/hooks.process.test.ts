/** Signed webhooks at two processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Signing, secrets, signed } from '../hooks/signed.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

test.after.always(async () => {
  killServices()
  await server.kill()
})

test('a hook that one process made takes deliveries at the other as soon as it is answered, and so do its changes', async (t) => {
  const attr = [{ name: 'n', type: 9 }]
  await a.client.ok(a.client.post('/stream', { schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] }))
  const put = ({ client }: typeof a, secret: string) =>
    client.send('PUT', '/hook/h', { into: 's.st', verify: { scheme: 'standard', secret } })
  const send = async ({ client }: typeof a, n: number, signing: Signing = {}) => {
    const body = JSON.stringify({ n })
    const headers = await signed.standard(body, { id: `msg_${n}`, ...signing })
    return (await client.send('POST', '/hook/h', body, headers)).status
  }
  const other = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
  await a.client.ok(put(a, secrets.standard))
  t.is(await send(b, 1), 200)
  await b.client.ok(put(b, other))
  t.is(await send(a, 2), 401)
  t.is(await send(a, 2, { secret: other }), 200)
  const sends = Array.from({ length: 40 }, (_, i) => send(i % 2 === 0 ? a : b, 3 + i, { secret: other }))
  t.deepEqual([...new Set(await Promise.all(sends))], [200])
  for (const { client } of [a, b]) t.is((await client.ok(client.get('/hook'))).num_hooks, 1)
  await b.client.ok(b.client.send('DELETE', '/hook/h'))
  t.is(await send(a, 99, { secret: other }), 404)
  const counts = await Promise.all(
    [a, b].map(async ({ client }) => client.ok(client.query('select count(*) from s.st'))),
  )
  t.true(counts.some(({ retval }) => retval > 0))
})
