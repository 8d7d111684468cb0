import test from 'ava'
import { continued } from '../../../../console/pages/graph/continued.ts'
import { drawingOf, nodeIdOf, rowsOf } from '../../../../console/pages/graph/drawn-answer.ts'
import { patternOf } from '../../../../console/pages/graph/pattern.ts'
import { suggestGraph } from '../../../../console/pages/graph/suggest-graph.ts'
import { bounded, joined, labelsOf, noDrawing } from '../../../../console/parts/force-graph/drawing.ts'

const triple = (sub: string, pred: string, obj: string) => ({ sub, pred, obj })
const knows = {
  triple: [
    triple('P:ann', 'KNOWS', 'P:bob'),
    triple('P:ann', 'KNOWS', 'P:bob'),
    triple('P:bob', 'SAW', 'Film:Up: a film'),
  ],
  num_items: 3,
}

test('relations are drawn once each with their number, and nodes once', (t) => {
  t.deepEqual(drawingOf(knows, ''), {
    nodes: [
      { id: 'P:ann', label: 'P', name: 'ann' },
      { id: 'P:bob', label: 'P', name: 'bob' },
      { id: 'Film:Up: a film', label: 'Film', name: 'Up: a film' },
    ],
    links: [
      { from: 'P:ann', to: 'P:bob', rel: 'KNOWS', count: 2 },
      { from: 'P:bob', to: 'Film:Up: a film', rel: 'SAW', count: 1 },
    ],
  })
  const flat = {
    triple: [{ sub: 'ann', sub_label: 'P', rel: 'KNOWS', obj: 'bob', obj_label: 'P', since: 3 }],
    num_items: 1,
  }
  t.deepEqual(drawingOf(flat, '').links, [{ from: 'P:ann', to: 'P:bob', rel: 'KNOWS', count: 1 }])
})

test('a path is marked from its beginning to its end, and all paths share what they have in common', (t) => {
  const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((name) => ({ label: 'P', name }))
  if (!ann || !bob || !cid) throw new Error('there are three')
  const path = { nodes: [ann, bob, cid], edges: [{ rel: 'K' }, { rel: 'K' }] }
  const drawing = drawingOf({ ...path, path_count: 1 }, '')
  t.deepEqual(drawing.ends, ['P:ann', 'P:cid'])
  t.true(drawing.links.every(({ isOnPath }) => isOnPath))
  const all = drawingOf({ paths: [path, { nodes: [ann, bob], edges: [{ rel: 'K' }] }], path_count: 2 }, '')
  t.is(all.links.length, 2)
  t.deepEqual(rowsOf({ ...path, path_count: 1 }).rows[0], [1, 'P:ann', 'K', 'P:bob'])
  t.deepEqual(drawingOf({ nodes: [], edges: [], path_count: 0 }, ''), noDrawing)
})

test('a radius is drawn around the node that it is measured from', (t) => {
  const near = { triple: [triple('A:sfo', 'NEAR', 'A:oak'), triple('A:sfo', 'NEAR', 'A:sjc')], num_items: 2 }
  t.deepEqual(drawingOf(near, 's=>(A:sfo)-[#RADIUS_OF 50000 NEAR]->(A:*)').around, {
    id: 'A:sfo',
    says: 'within 50 km',
  })
  t.is(drawingOf(near, 's=>(A:sfo)-[NEAR]->(A:*)').around, undefined)
})

test('columns are a table without a picture; a row names the node that it is about', (t) => {
  const columns = { rows: [{ film: 'Up', n: 2 }], num_items: 1 }
  t.deepEqual(drawingOf(columns, '').nodes, [])
  t.is(nodeIdOf(rowsOf(columns), ['Up', 2]), undefined)
  const rows = rowsOf(knows)
  t.is(nodeIdOf(rows, rows.rows[2] ?? []), 'P:bob')
})

test('an answer of 50,000 triples is drawn as far as it can be told apart, and its table has all', (t) => {
  const many = {
    triple: Array.from({ length: 50_000 }, (_, at) => triple(`P:${at % 20_000}`, 'K', `P:${(at * 7) % 200}`)),
    num_items: 50_000,
  }
  const whole = drawingOf(many, '')
  const { drawing, numLeftOut } = bounded(whole, { nodes: 700, links: 1800 })
  t.is(drawing.nodes.length, 700)
  t.true(drawing.links.length <= 1800 && drawing.links.length > 0)
  t.is(numLeftOut.nodes, whole.nodes.length - 700)
  t.is(rowsOf(many).rows.length, 50_000)
  const ids = new Set(drawing.nodes.map(({ id }) => id))
  t.true(drawing.links.every(({ from, to }) => ids.has(from) && ids.has(to)))
})

test('neighbours join a drawing without a second of anything; labels are in the order of their number', (t) => {
  const drawing = drawingOf(knows, '')
  t.deepEqual(joined(drawing, drawing), drawing)
  t.deepEqual(labelsOf(drawing), [
    ['P', 2],
    ['Film', 1],
  ])
  t.deepEqual(continued(knows, knows), { ...knows, triple: [...knows.triple, ...knows.triple] })
})

test('a node is named in a query so that blanks, quotes and brackets in it are text', (t) => {
  t.is(patternOf({ label: 'Person', name: 'Tom "T" (Hanks)' }), '(Person:"Tom \\"T\\" (Hanks)")')
  t.is(patternOf({ label: 'a b', name: 'c' }), '("a b:c")')
})

test('the graph language: labels, relations and names that were seen are suggested in their places', async (t) => {
  const suggest = suggestGraph(() => drawingOf(knows, ''))
  const at = async (marked: string) =>
    (await suggest(marked.replace('|', ''), marked.indexOf('|')))?.options.map(({ label }) => label) ?? []
  t.deepEqual(await at('s=>(|'), ['*', 'Film', 'P'])
  t.deepEqual((await at('s=>(P:*)-[|')).slice(0, 3), ['*', 'KNOWS', 'SAW'])
  t.deepEqual(await at('s=>(P:|'), ['*', 'ann', 'bob'])
  t.true((await at('s=>(@p P:*); RETURN |')).includes('p'))
})
