import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

test('st, et and skey are keywords in any case, but for an attribute of that very name', async (t) => {
  const attr = [
    { name: 'ST', type: 9 },
    { name: 'n', type: 9, stat: 'COUNT' },
  ]
  const gpby = [{ gpat: ['n'], iatr: 'n', stat: 'COUNT' }]
  await client.register({ schema: 'words', streams: [{ name: 's', type: 1, swsz: 0, attr, gpby }] })
  await client.lines(
    'words.s',
    [1, 2, 3, 4].map((n) => ({ _pk: n * 60_000_000, n, ST: 10 * n })),
  )
  const count = (where: string) => client.count(`select count(*) from words.s where ${where}`)
  t.is(await count('st >= 120000000'), 3)
  t.is(await count('St >= 120000000 AND ET <= 180000000'), 2)
  t.is(await count('ST >= 30 and eT <= 180000000'), 1)
  t.is((await client.query('select count(*) from words.s where ET = 1')).status, 400)
  const [one] = await client.rows('select aggr(n) from words.s where ST >= 120000000 and Et <= 180000000 rollup 1')
  t.is(one?.v, '{"fromts":120000000,"tots":180000000,"aggr_val":{"cnt":2}}')
  t.deepEqual(
    (await client.rows('select aggr(n) from words.s where SKEY = "3" groupby n')).map(({ k, v }) => [k, v]),
    [['3', 1]],
  )
})
