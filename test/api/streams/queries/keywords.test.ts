import test from 'ava'
import { at } from '../../../support/era.ts'
import { startService } from '../../../support/service.ts'

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
    [1, 2, 3, 4].map((n) => ({ _pk: at(n * 60_000_000), n, ST: 10 * n })),
  )
  const count = (where: string) => client.count(`select count(*) from words.s where ${where}`)
  t.is(await count('st >= 1209600120000000'), 3)
  t.is(await count('St >= 1209600120000000 AND ET <= 1209600180000000'), 2)
  t.is(await count('ST >= 30 and eT <= 1209600180000000'), 1)
  t.is((await client.query('select count(*) from words.s where ET = 1')).status, 400)
  const [one] = await client.rows(
    'select aggr(n) from words.s where ST >= 1209600120000000 and Et <= 1209600180000000 rollup 1',
  )
  t.is(one?.v, '{"fromts":1209600120000000,"tots":1209600239999999,"aggr_val":{"cnt":2}}')
  t.deepEqual(
    (await client.rows('select aggr(n) from words.s where SKEY = "3" groupby n')).map(({ k, v }) => [k, v]),
    [['3', 1]],
  )
})

test('backslashes of a value stand in skey as in the k of an answer, or doubled once more', async (t) => {
  const attr = [
    { name: 'a', type: 5 },
    { name: 'b', type: 5 },
  ]
  const gpby = [{ gpat: ['a', 'b'], iatr: 'a', stat: 'COUNT' }]
  await client.register({ schema: 'slashes', streams: [{ name: 's', type: 1, attr, gpby }] })
  const values = ['x\\y', '\\', 'n\\\\n', ':\\', '\\:']
  await client.lines(
    'slashes.s',
    values.map((a) => ({ a, b: 'z' })),
  )
  const ask = (skey: string) => client.rows(`select aggr(a) from slashes.s where skey = "${skey}" groupby a:b`)
  for (const { k } of await client.rows('select aggr(a) from slashes.s groupby a:b')) {
    const one = [{ k, v: 1 }]
    t.deepEqual(await ask(String(k)), one)
    t.deepEqual(await ask(String(k).replaceAll('\\', '\\\\')), one)
  }
  t.deepEqual(await ask('none\\\\:z'), [])
  const { status, text } = await client.query('select aggr(a) from slashes.s where skey = "x" groupby a:b')
  t.is(status, 400)
  t.regex(text, /line 1, column 37: skey: .* has 1 parts, the group has 2/)
})
