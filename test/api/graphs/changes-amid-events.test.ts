/** Events whose relations are about a node that is merged, or deleted, meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const rels = [
  { sub: 'who', sub_label: 'P', rel: 'SAW', obj: 'what', obj_label: 'W', rel_props: ['id'], sub_props: ['id'] },
]
const attr = ['who', 'what'].map((name) => ({ name, type: 'STRING' })).concat([{ name: 'id', type: 'LONG' }])

type Edge = { readonly id: number; readonly s: string; readonly o: string }
type Node = { readonly n: string; readonly v?: number }

const post = (schema: string, body: object) => client.ok(client.post(`/stream/${schema}/st`, body))
const query = (schema: string, text: string) => client.ok(client.send('POST', `/graph/${schema}_graph/query`, text))
const edges = async (schema: string): Promise<readonly Edge[]> =>
  (await query(schema, 's=>(@s P:*)-[@r SAW]->(@o W:*); RETURN r.id AS id, s.name AS s, o.name AS o SORT_ASC id')).rows
const nodes = async (schema: string): Promise<readonly Node[]> =>
  (await query(schema, 's=>(@n *); RETURN n.name AS n, n.id AS v')).rows

for (const [kind, text] of [
  ['merged', 'MERGE (P:p)<-[*]-(P:s)'],
  ['deleted', 'DELETE (P:s)'],
] as const) {
  test.serial(`relations of events are all there, once, while their node is ${kind} again and again`, async (t) => {
    t.timeout(150_000)
    const schema = kind
    await client.register({ schema, streams: [{ name: 'st', type: 1, swsz: 0, attr, rels }] })
    await post(schema, { who: 'p', what: 'w', id: 0 })
    let [sent, changes, isOver] = [0, 0, false]
    const senders = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const id = ++sent
        await post(schema, { who: 's', what: `w${id % 5}`, id })
        await sleep(4)
      }
    })
    // A machine under load makes few changes in this time.
    for (const end = performance.now() + 6_000; performance.now() < end || changes <= 2; changes++) {
      await query(schema, text)
      await sleep(30)
    }
    isOver = true
    await Promise.all(senders)
    t.true(sent > 50, `${changes} changes, ${sent} events`)
    const kept = [++sent, ++sent]
    for (const id of kept) await post(schema, { who: 's', what: 'last', id })

    const found = await edges(schema)
    const there = new Map((await nodes(schema)).map(({ n, v }) => [n, v]))
    const ids = found.map(({ id }) => id)
    t.is(new Set(ids).size, ids.length, 'none is doubled')
    for (const { s, o, id } of found) t.true(there.has(s) && there.has(o), `the nodes of relation ${id}`)
    for (const id of kept) t.true(ids.includes(id))
    if (kind === 'merged')
      t.deepEqual(
        ids,
        Array.from({ length: sent + 1 }, (_, id) => id),
      )
    const left = found.filter(({ s }) => s === 's').map(({ id }) => id)
    t.true(left.length < sent, 'the node that is left has the relations since the last change')
    t.is(there.get('s'), Math.min(...left), 'and what the first of them brought')
  })
}
