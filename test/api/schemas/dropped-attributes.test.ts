import test from 'ava'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

test('what events have of an attribute that was dropped is still found', async (t) => {
  const attr = [
    { name: 'kept', type: 5 },
    { name: 'n', type: 9 },
    { name: 's', type: 5 },
    { name: 'x', type: 11 },
    { name: 'b', type: 12 },
  ]
  const schema = (attributes: readonly unknown[]) => ({
    schema: 'dropping',
    streams: [{ name: 'e', type: 1, swsz: 0, attr: attributes }],
  })
  await client.register(schema(attr))
  await client.event('dropping.e', { kept: 'a', n: 9007199254740993n, s: 'é "q"', x: 1.5, b: true })
  await client.event('dropping.e', { kept: 'b', n: 2, s: 'z', x: 2, b: false })
  await client.event('dropping.e', { kept: 'c' })
  await client.ok(client.send('PUT', '/stream', schema(attr.slice(0, 1))))
  await client.event('dropping.e', { kept: 'd', n: 'a text', s: 5, x: 2.5, b: true })

  for (const [where, found] of [
    ['n = 9007199254740993', ['a']],
    ['n != 2', ['a']],
    ['n >= 2', ['a', 'b']],
    ['n = "a text"', ['d']],
    [`s = 'é "q"'`, ['a']],
    ['s like "z*"', ['b']],
    ['s = 5', ['d']],
    ['x = 2', ['b']],
    ['x >= 1.5', ['a', 'b', 'd']],
    ['b = true', ['a', 'd']],
    ['b != true', ['b']],
    ['n = 2 or x = 2.5', ['b', 'd']],
    ['n.inside = 2', []],
  ] as const) {
    const documents = await client.documents(`select * from dropping.e where ${where}`)
    t.deepEqual(documents.map(({ kept }) => kept).reverse(), [...found], where)
    t.is(await client.count(`select count(*) from dropping.e where ${where}`), found.length, where)
  }
})
