/** Plain answers of graphs: one list of rows and one cursor, whatever is asked. */
import test from 'ava'
import { plainGraph, plainGraphLines, plainGraphText } from '../../../activities/graphs/plain-answer.ts'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const names = Array.from({ length: 7 }, (_, i) => `n${i}`)
test.before(async () => {
  await client.ok(client.post('/graph/g', undefined))
  for (const name of names)
    await client.ok(
      client.post('/graph/g/query', `CREATE (P:hub)-[KNOWS {"since": "a \\"num_items\\":9 }{"}]->(P:${name})`),
    )
})

const lines = { accept: 'application/x-ndjson' }
const ask = (body: object) => client.post('/graph/g/query', body)
const rowsOf = async (query: string) => (await client.ok(ask({ query, rows: 'objects' }))).rows

test('rows of a walk, of nodes, of a path and of paths are one list', async (t) => {
  t.deepEqual(await rowsOf('s=>(P:hub)-[KNOWS]->(P:n1)'), [{ sub: 'P:hub', pred: 'KNOWS', obj: 'P:n1' }])
  t.deepEqual(await rowsOf('s=>(P:n2)'), [{ label: 'P', name: 'n2' }])
  const path = {
    nodes: ['hub', 'n3'].map((name) => ({ label: 'P', name })),
    edges: [{ rel: 'KNOWS' }],
  }
  t.deepEqual(await rowsOf('s=>(P:hub)-[#SHORT_PATH *]->(P:n3)'), [path])
  t.like((await rowsOf('s=>(P:hub)-[#ALL_PATH *]->(P:n3)'))[0], { nodes: path.nodes })
  t.deepEqual(await rowsOf('s=>(P:n3)-[#SHORT_PATH *]->(P:hub)'), [])
  t.deepEqual(await rowsOf('s=>(@a P:*)-[KNOWS]->(P:*); RETURN COUNT(*) AS num_items'), [{ num_items: 7 }])
  t.deepEqual(await rowsOf('s=>(P:hub)-[@r KNOWS]->(P:n1); RETURN r.since'), [{ since: 'a "num_items":9 }{' }])
})

test('pages of objects and of lines join to all rows, each once, by one cursor', async (t) => {
  const query = 's=>(P:hub)-[@r KNOWS]->(@b P:*); RETURN b.name, r.since SORT_ASC name LIMIT 2'
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { rows, more_data_to_come, cursor: next } = await client.ok(ask({ query, rows: 'objects', cursor }))
    seen.push(...rows.map(({ name }: { name: string }) => name))
    t.is(more_data_to_come, next === undefined ? 0 : 1)
    if (next === undefined) break
    cursor = next
  }
  t.deepEqual(seen, names)
  const inLines: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { text } = await client.post('/graph/g/query', { query, cursor }, lines)
    const told = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    inLines.push(...told.flatMap(({ name }) => name ?? []))
    const last = told.at(-1)
    if (last?.cursor === undefined) break
    cursor = last.cursor
  }
  t.deepEqual(inLines, names)
})

test('a cursor of another query, and one that no service made, are refused', async (t) => {
  const query = 's=>(P:hub)-[KNOWS]->(@b P:*); RETURN b.name LIMIT 2'
  const { cursor } = await client.ok(ask({ query, rows: 'objects' }))
  const other = await ask({ query: query.replace('LIMIT 2', 'LIMIT 3'), cursor })
  t.deepEqual(
    [other.status, other.body.error],
    [400, ['cursor: it is of another query or list; send it with the one whose answer had it']],
  )
  t.regex((await ask({ query, cursor: '1.abc' })).body.error[0], /this service made no such text/)
  t.regex((await ask({ query, cursor: '2.abc' })).body.error[0], /it is of version 2/)
  t.regex((await ask({ query, rows: 'texts' })).body.error[0], /"rows": "objects" for plain rows/)
  const both = await client.post(`/graph/g/query?levk=x`, { query, cursor })
  t.regex(both.body.error[0], /leave levk out/)
})

test('a change of a graph is answered as ever', async (t) => {
  const { body } = await client.post('/graph/g/query', { query: 'CREATE (P:new)', rows: 'objects' })
  t.is(body.errcode, 0)
})

test('a long answer is cut into lines in parts, whatever its texts hold', (t) => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    i,
    text: `${'\\'.repeat(i % 4)}"}],"{ ${'x'.repeat(600)}`,
    of: { a: [{}] },
  }))
  const found = plainGraph(
    JSON.stringify({ rows, num_items: rows.length, more_data_to_come: 1, _levk: 'k', error: ['"num_items":'] }),
  )
  if (!found) return t.fail()
  const parts = [...plainGraphLines(found)]
  t.true(parts.length > 2)
  t.deepEqual(
    parts
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    rows,
  )
  t.deepEqual(JSON.parse(plainGraphText(found, 'c')), {
    rows,
    num_items: 5_000,
    more_data_to_come: 1,
    cursor: 'c',
    error: ['"num_items":'],
  })
})
