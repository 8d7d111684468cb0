import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { compileTriples, parseGraph } from '../../../../sql/graph/index.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { bind } from '../../../../sql/statement.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

type Event = { _pk: number; _seq: number; [attribute: string]: unknown }

/** A schema of one stream with these relations, and what feeds its rows as one batch. */
async function makeStream(schema: string, attr: readonly object[], rels: readonly object[]) {
  const decoded = decodeSchema({ schema, streams: [{ name: 's', type: 1, inpt: [], attr, rels }] })
  for (const statement of createSchema(decoded)) await clickhouse.run(statement)
  let batches = 0
  return async (events: readonly Event[], token = `batch ${batches++}`): Promise<void> => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`)
    await clickhouse.insert({ table: `${schema}.s__in`, rows: Buffer.from(lines.join('')), token })
  }
}

/** The nodes of a schema's graph: `label:name` and the properties. */
async function nodes(schema: string): Promise<Record<string, unknown>> {
  const rows = await clickhouse.rows<{ label: string; name: string; properties: string }>({
    text: `SELECT label, name, properties FROM graph.${schema}_graph ORDER BY label, name`,
    params: {},
  })
  return Object.fromEntries(rows.map(({ label, name, properties }) => [`${label}:${name}`, JSON.parse(properties)]))
}

const triples = (schema: string, columns: string) =>
  clickhouse.rows({ text: `SELECT ${columns} FROM graph.${schema}_graph_rel ORDER BY ALL`, params: {} })

const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: 5 }))
const person = { sub: 'who', obj: 'where', rel: 'LIVES_IN', sub_props: ['age', 'mail'], obj_props: ['country'] }
const attributes = [...texts('who', 'where', 'mail', 'country'), { name: 'age', type: 9 }]

test('a node keeps the properties that it first got, and gains those that it lacked', async (t) => {
  const feed = await makeStream('first', attributes, [person])
  await feed([
    { _pk: 10, _seq: 10, who: 'ann', where: 'rome', age: 30 },
    { _pk: 11, _seq: 11, who: 'ann', where: 'rome', age: 31, mail: 'a@x' },
  ])
  await feed([{ _pk: 12, _seq: 12, who: 'ann', where: 'rome', age: 32, mail: 'b@x', country: 'IT' }])
  t.deepEqual(await nodes('first'), { 'who:ann': { age: 30, mail: 'a@x' }, 'where:rome': { country: 'IT' } })
})

test('with sub_updt or obj_updt that end of a relation has the latest', async (t) => {
  const feed = await makeStream('latest', attributes, [{ ...person, sub_updt: 1 }])
  await feed([
    { _pk: 10, _seq: 10, who: 'ann', where: 'rome', age: 30, mail: 'a@x', country: 'IT' },
    { _pk: 12, _seq: 12, who: 'ann', where: 'rome', age: 32, country: 'VA' },
    { _pk: 11, _seq: 11, who: 'ann', where: 'rome', age: 31 },
  ])
  t.deepEqual(await nodes('latest'), { 'who:ann': { age: 32, mail: 'a@x' }, 'where:rome': { country: 'IT' } })
  await feed([{ _pk: 13, _seq: 13, who: 'ann', where: 'rome', mail: 'c@x' }])
  t.deepEqual(await nodes('latest'), { 'who:ann': { age: 32, mail: 'c@x' }, 'where:rome': { country: 'IT' } })
})

test('an event that brings an old _pk late adds what is missing and overwrites nothing', async (t) => {
  const feed = await makeStream('late', attributes, [{ ...person, obj_updt: 1 }])
  await feed([{ _pk: 1000, _seq: 10, who: 'ann', where: 'rome', age: 30, country: 'IT' }])
  await feed([{ _pk: 500, _seq: 11, who: 'ann', where: 'rome', age: 20, mail: 'old@x', country: 'Papal States' }])
  t.deepEqual(await nodes('late'), { 'who:ann': { age: 30, mail: 'old@x' }, 'where:rome': { country: 'IT' } })
})

test('a batch that is repeated under its token changes nothing', async (t) => {
  const feed = await makeStream('again', attributes, [person, { ...person, rel: 'BORN_IN', sub_updt: 1 }])
  const batch = [
    { _pk: 10, _seq: 10, who: 'ann', where: 'rome', age: 30 },
    { _pk: 11, _seq: 11, who: 'bob', where: 'rome', age: 40 },
  ]
  for (let i = 0; i < 3; i++) await feed(batch, 'the same')
  const of = (subject: string, relation: string) => ({ subject, relation, object: 'rome' })
  t.deepEqual(await triples('again', 'subject, relation, object'), [
    of('ann', 'BORN_IN'),
    of('ann', 'LIVES_IN'),
    of('bob', 'BORN_IN'),
    of('bob', 'LIVES_IN'),
  ])
})

test('a missing subject or object gives neither triple nor nodes; a repeated event gives its triple again', async (t) => {
  const feed = await makeStream('missing', attributes, [person])
  await feed([
    { _pk: 10, _seq: 10, who: 'ann', age: 30 },
    { _pk: 11, _seq: 11, where: 'rome', country: 'IT' },
    { _pk: 12, _seq: 12, who: '', where: 'rome' },
    { _pk: 12, _seq: 13, who: '', where: 'rome' },
  ])
  t.deepEqual(await nodes('missing'), { 'who:': {}, 'where:rome': {} })
  const triple = { subject: '', object: 'rome', _at: 12 }
  t.deepEqual(await triples('missing', 'subject, object, _at'), [triple, triple])
})

test('both ends of one label are nodes of one kind', async (t) => {
  const rels = [
    { sub: 'who', obj: 'where', rel: 'KNOWS', sub_label: 'Person', obj_label: 'Person', sub_props: ['age'] },
  ]
  const feed = await makeStream('same', attributes, rels)
  await feed([
    { _pk: 10, _seq: 10, who: 'ann', where: 'bob', age: 30 },
    { _pk: 11, _seq: 11, who: 'bob', where: 'ann', age: 40 },
    { _pk: 12, _seq: 12, who: 'eve', where: 'eve', age: 50 },
  ])
  t.deepEqual(await nodes('same'), { 'Person:ann': { age: 30 }, 'Person:bob': { age: 40 }, 'Person:eve': { age: 50 } })
})

test('where both ends have one label and one is updated, what it is there as the other end overwrites nothing', async (t) => {
  const ends = { sub: 'who', obj: 'where', sub_label: 'Person', obj_label: 'Person' }
  const rels = [{ ...ends, rel: 'KNOWS', sub_props: ['age'], obj_props: ['age'], sub_updt: 1 }]
  const feed = await makeStream('ends', attributes, rels)
  await feed([
    { _pk: 10, _seq: 10, who: 'ann', where: 'bob', age: 30 },
    { _pk: 11, _seq: 11, who: 'bob', where: 'ann', age: 40 },
    { _pk: 12, _seq: 12, who: 'eve', where: 'zed', age: 50 },
    { _pk: 13, _seq: 13, who: 'eve', where: 'zed', age: 60 },
  ])
  const wanted = { 'Person:ann': { age: 30 }, 'Person:bob': { age: 40 }, 'Person:eve': { age: 60 } }
  t.deepEqual(await nodes('ends'), { ...wanted, 'Person:zed': { age: 50 } })
})

test('properties of every type come back as they were posted', async (t) => {
  const attr = [
    ...texts('who', 'where', 'text'),
    { name: 'long', type: 9 },
    { name: 'double', type: 11 },
    { name: 'bool', type: 12 },
    { name: 'object', type: 3 },
  ]
  const names = ['text', 'long', 'double', 'bool', 'object']
  const rels = [{ sub: 'who', obj: 'where', rel: 'R', sub_props: names, rel_props: names }]
  const feed = await makeStream('types', attr, rels)
  const text = 'a "quoted" \\ 山/\n'
  const rest = JSON.stringify({ object: { deep: [1, 'x/y'] } })
  const event = { _pk: 1, _seq: 1, who: 'w', where: 'x', text, double: 0.1, bool: false, _rest: rest }
  await feed([event])
  const expected = { text, double: 0.1, bool: false, object: { deep: [1, 'x/y'] } }
  t.deepEqual((await nodes('types'))['who:w'], expected)
  const [row] = (await triples('types', 'properties')) as { properties: string }[]
  t.deepEqual(JSON.parse(row?.properties ?? ''), expected)

  const number = {
    text: "INSERT INTO types.s__in (_pk, _seq, who, where, long) SELECT 2, 2, 'n', 'x', 9223372036854775807",
    params: {},
  }
  await clickhouse.run(number)
  const [node] = await clickhouse.rows<{ properties: string }>({
    text: "SELECT properties FROM graph.types_graph WHERE label = 'who' AND name = 'n'",
    params: {},
  })
  t.is(node?.properties, '{"long":9223372036854775807}')
})

test('attributes may be called like the columns of the graph', async (t) => {
  const names =
    'label name property value at node entry entries first updated subject object relation properties member e'
  const all = names.split(' ')
  const rels = [
    { sub: 'label', obj: 'name', rel: 'R', sub_props: all, obj_props: all, rel_props: all },
    { sub: 'subject', obj: 'object', rel: 'relation', sub_props: ['name'], sub_updt: 1 },
  ]
  const feed = await makeStream('called', texts(...all), rels)
  const event = Object.fromEntries(all.map((name) => [name, `the ${name}`]))
  await feed([{ _pk: 1, _seq: 1, ...event }])
  t.deepEqual(await nodes('called'), {
    'label:the label': event,
    'name:the name': event,
    'object:the object': {},
    'subject:the subject': { name: 'the name' },
  })
})

test('a query by object reads as little as one by subject', async (t) => {
  await makeStream('many', texts('a', 'b'), [{ sub: 'a', obj: 'b', rel: 'R' }])
  await clickhouse.run(
    "INSERT INTO many.s__in (_pk, _seq, a, b) SELECT number, number, concat('a', toString(number % 5000)), concat('b', toString(cityHash64(number) % 5000)) FROM numbers(200000)",
  )
  const granules = async (text: string): Promise<[read: number, all: number]> => {
    const statement = bind(compileTriples('many_graph', parseGraph(text), 1_000_000))
    const plan = await clickhouse.rows<{ explain: string }>({ text: `EXPLAIN indexes = 1 ${statement}`, params: {} })
    const found = /Granules: (\d+)\/(\d+)/.exec(plan.map(({ explain }) => explain).join('\n'))
    return [Number(found?.[1]), Number(found?.[2])]
  }
  for (const text of ['s=>(a:a77)-[R]->(*)', 's=>(b:b77)<-[R]-(a:*)', 's=>(*)-[*]->(*:b77)', 's=>(*:a77)-[*]->(*)']) {
    const [read, all] = await granules(text)
    t.true(read <= 2 && all >= 20, `${text} reads ${read} of ${all}`)
  }
})

test('an answer beyond its bound is an error of its own', async (t) => {
  await makeStream('big', texts('a', 'b'), [{ sub: 'a', obj: 'b', rel: 'R' }])
  await clickhouse.run(
    "INSERT INTO big.s__in (_pk, _seq, a, b) SELECT number, number, toString(number), 'b' FROM numbers(50000)",
  )
  for (const text of ['s=>(*)-[*]->(*)', 's=>(*)-[*]->(b:b)', 's=>(a:"$%")-[R]->(*)']) {
    await t.throwsAsync(clickhouse.read(compileTriples('big_graph', parseGraph(text), 100_000), 'JSONEachRow'), {
      code: 396,
    })
  }
})
