import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const admin = { 'x-api-key': ADMIN_KEY }
const keyWith = async (scopes: readonly string[], on?: readonly string[]) => {
  const { id, key } = await client.ok(client.post('/keys', { name: 'k', scopes, on }, admin))
  return { id, headers: { 'x-api-key': key } }
}

test('events and rows of entities are erased by a key that may write and define there, and by no other', async (t) => {
  const enty = [
    {
      name: 'e',
      opid: 1,
      ratr: ['seen'],
      iatr: ['n'],
      pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
      rstm: 'people',
    },
  ]
  const attr = [
    { name: 'who', type: 5 },
    { name: 'n', type: 9 },
  ]
  const streams = [
    { name: 's', type: 1, swsz: 0, attr, enty, rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }] },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ]
  await client.ok(client.post('/stream', { schema: 'kept', streams }, admin))
  await client.ok(client.post('/stream/kept/s', { who: 'ann', n: 1 }, admin))
  const statements = ['delete from kept.s where who = "ann"', 'delete from kept.people where id = "ann"']
  const refused = [
    [['write'], undefined, /needs the scope define, and the key has write/],
    [['read', 'define'], undefined, /needs the scope write, and the key has read, define/],
    [['write', 'define'], ['schema:other'], /needs the scope write on schema:kept/],
  ] as const
  for (const [scopes, on, message] of refused) {
    const { headers } = await keyWith(scopes, on)
    for (const sql of statements) {
      const { status, body } = await client.post('/db/mydb/query', { sql }, headers)
      t.is(status, 403, sql)
      t.regex(body.error[0], message)
    }
  }
  const { id, headers } = await keyWith(['write', 'define'], ['schema:kept'])
  for (const sql of statements) {
    t.is((await client.ok(client.post('/db/mydb/query', { sql }, headers))).retval, 1)
  }
  await client.ok(client.post('/graph/kept_graph/query', 'DELETE (who:ann)', headers))
  const { changes } = await client.ok(client.send('GET', '/audit', undefined, admin))
  t.deepEqual(
    changes
      .filter(({ what }: { what: string }) => what === 'erasure')
      .map(({ by, name, detail }: Record<string, string>) => [by, name, detail]),
    [
      [id, 'kept_graph', 'node of label who deleted'],
      [id, 'kept.people', '1 erased by id'],
      [id, 'kept.s', '1 erased by who'],
    ],
  )
})
