/** The questions of the charts, what their answers show, the picture of a schema, and the events that a tail keeps. */
import test from 'ava'
import {
  figureOf,
  figureText,
  groupsOf,
  groupText,
  lineOf,
  linesOf,
  measuredIn,
  nameOf,
  placesOf,
  rollupFor,
  rollupsFor,
  snapped,
  statisticQuery,
  timesOf,
  topOf,
  wholeOf,
} from '../../../../console/pages/streams/statistic-query.ts'
import { folded, graphOf, restId } from '../../../../console/pages/streams/stream-graph.ts'
import { createTail } from '../../../../console/pages/streams/tail.ts'

const minute_us = 60e6
const rstat = (avg: number, cnt = 1) => JSON.stringify({ cnt, sum: avg * cnt, min: 0, max: 0, avg, stdd: 0 })

test('a stream counts its attributes and its groups, by codes and by names', (t) => {
  const found = measuredIn({
    name: 's',
    attr: [{ name: 'a', stat: 3, gran: 300 }, { name: 'b' }, { name: 'c', stat: 'ucount' }, { name: 'd', stat: 0 }],
    catr: [{ name: 'e', stat: 'COUNT' }],
    gpby: [{ gpat: ['b', 'c'], iatr: 'a', stat: 'RSTAT' }],
  })
  t.deepEqual(
    found.map((each) => [nameOf(each), each.statistic, each.gran_s]),
    [
      ['a', 'RSTAT', 300],
      ['c', 'UCOUNT', 60],
      ['e', 'COUNT', 60],
      ['a|b:c', 'RSTAT', 60],
    ],
  )
})

test('of lists a chart shows each member that is a number, all quantiles at once, and the most frequent values', (t) => {
  const figures = (attribute: object, gpby: readonly object[] = []) =>
    measuredIn({ name: 's', attr: [{ name: 'a', ...attribute }], gpby }).map((each) => each.figures)
  t.deepEqual(figures({ type: 9, stat: ['COUNT', 4, 'LAST'], q: [0.999, 0.5] }), [
    ['quantiles', 'p50', 'p99_9', 'last', 'cnt'],
  ])
  t.deepEqual(figures({ type: 'STRING', stat: [7, 'UCOUNT', 'FIRST'] }), [['top', 'unique', 'cnt']])
  t.deepEqual(figures({ type: 11, stat: 4, q: [0.95] }), [['p95', 'cnt']])
  // Of groups one quantile at a time, and no values of values.
  t.deepEqual(figures({ type: 11 }, [{ gpat: ['b'], iatr: 'a', stat: ['QUANTILES', 'TOPK'] }]), [
    ['p50', 'p90', 'p95', 'p99', 'cnt'],
  ])
})

test('quantiles are a line each, none where nothing came; the most frequent values are those of the whole span', (t) => {
  const of = (p50: number | null, p99: number | null) => JSON.stringify({ cnt: p50 === null ? 0 : 3, p50, p99 })
  const rows = [
    { k: 0, v: of(4, 9) },
    { k: minute_us, v: of(null, null) },
  ]
  const lines = lineOf([0, minute_us], rows, [
    ['p50', 'p50'],
    ['p99', 'p99'],
  ])
  t.deepEqual(
    lines.series.map(({ name, values }) => [name, ...values]),
    [
      ['p50', 4, null],
      ['p99', 9, null],
    ],
  )
  const top = '[{"value":42,"cnt":5},{"value":"","cnt":2},{"value":{"a":1},"cnt":1}]'
  t.deepEqual(topOf(`{"fromts":1,"tots":2,"aggr_val":{"cnt":8,"top":${top},"top_error":3}}`), {
    values: [
      { name: '42', cnt: 5 },
      { name: '(empty)', cnt: 2 },
      { name: '{"a":1}', cnt: 1 },
    ],
    error: 3,
  })
})

test('intervals are merged so that a span has some hundred points, of round lengths', (t) => {
  const span = (seconds: number) => ({ from_us: 0, to_us: seconds * 1e6 })
  t.is(rollupFor(span(3600), 60), 1)
  t.is(rollupFor(span(86_400), 60), 5)
  t.is(rollupFor(span(30 * 86_400), 60), 120)
  t.is(rollupFor(span(86_400), 7), 31)
  for (const gran of [1, 7, 60, 300, 86_400]) {
    for (const seconds of [1, 600, 86_400, 1e7, 1e9]) t.true(seconds / (rollupFor(span(seconds), gran) * gran) <= 401)
  }
  t.deepEqual(rollupsFor(span(3600), 300), [1, 2, 3, 6])
})

test('a query of a chart names its bounds, its groups and its rollup', (t) => {
  const of = { attribute: 'price', statistic: 'RSTAT', figures: [], groups: ['country', 'page'], gran_s: 60 } as const
  const span = { from_us: 0, to_us: 60e6 }
  t.is(
    statisticQuery('shop.visits', of, span, 5),
    'select aggr(price) from shop.visits where st >= 0 and et <= 59999999 groupby country:page rollup 5',
  )
  t.is(
    statisticQuery('shop.visits', { ...of, groups: [] }, span, 1),
    'select aggr(price) from shop.visits where st >= 0 and et <= 59999999 rollup 0',
  )
  t.is(
    statisticQuery('shop.visits', of, span, 'whole', 'a\\:"b":\u0007'),
    'select aggr(price) from shop.visits where st >= 0 and et <= 59999999 and skey = "a\\:""b"":\\u0007" groupby country:page rollup 1',
  )
})

test('a span that is drawn has whole intervals', (t) => {
  const minutes = (from: number, to: number) => ({ from_us: from * minute_us, to_us: to * minute_us })
  t.deepEqual(snapped(minutes(6.5, 12.2), 60, 300), minutes(5, 13))
  t.deepEqual(snapped(minutes(6, 6), 60, 60), minutes(6, 7))
  t.deepEqual(snapped(minutes(5, 10), 60, 300), minutes(5, 10))
  t.deepEqual(placesOf(minutes(5, 13), 5 * minute_us, []), [5 * minute_us, 10 * minute_us])
})

test('a figure of nothing is none, but for its number and its sum', (t) => {
  t.is(figureOf(7, 'cnt'), 7)
  t.is(figureOf(rstat(2.5), 'avg'), 2.5)
  t.is(figureOf(rstat(0, 0), 'avg'), null)
  t.is(figureOf(rstat(0, 0), 'cnt'), 0)
})

test('intervals have values where something was counted, of groups by their own time', (t) => {
  const rows = [0, 5, 0, 3, 0].map((v, n) => ({ k: n * minute_us, v }))
  t.deepEqual(timesOf(rows), [minute_us, 3 * minute_us])
  t.deepEqual(timesOf([{ k: 'a', v: rstat(1), ts: 7 }]), [7])
})

test('an interval without a row is none, on a line without groups', (t) => {
  const rows = [
    { k: 2 * minute_us, v: 9 },
    { k: 0, v: 4 },
  ]
  t.deepEqual(lineOf([0, minute_us, 2 * minute_us], rows, [['a', 'cnt']]).series[0]?.values, [4, null, 9])
})

const whole = (k: string, avg: number, cnt = 1) => ({
  k,
  v: JSON.stringify({ fromts: 1, tots: 2, aggr_val: JSON.parse(rstat(avg, cnt)) }),
})

test('groups are in the order of their number or sum, and of an average by how many values they have', (t) => {
  const rows = [whole('few', 100, 1), whole('many', 2, 90), whole('a:x\\:y', 3, 40)]
  t.deepEqual(
    groupsOf(rows, 'avg').map(({ key, value }) => [key, value]),
    [
      ['many', 2],
      ['a:x\\:y', 3],
      ['few', 100],
    ],
  )
  t.deepEqual(
    groupsOf(rows, 'sum').map(({ key, value }) => [key, value]),
    [
      ['many', 180],
      ['a:x\\:y', 120],
      ['few', 100],
    ],
  )
  t.is(wholeOf(rows[0]?.v, 'avg'), 100)
})

test('a group without events in an interval has none of them there, and no average', (t) => {
  const x = [0, minute_us, 2 * minute_us, 3 * minute_us]
  const rows = [
    { k: 'b', v: rstat(9), ts: minute_us },
    { k: 'a', v: rstat(4), ts: 2 * minute_us },
  ]
  const groups = groupsOf([whole('a', 4), whole('b', 9)], 'cnt')
  const values = (figure: 'cnt' | 'avg') =>
    linesOf(x, rows, groups, figure, 3 * minute_us).series.map((each) => [each.name, ...each.values])
  t.deepEqual(values('cnt'), [
    ['a', null, 0, 1, null],
    ['b', null, 1, 0, null],
  ])
  t.deepEqual(values('avg'), [
    ['a', null, null, 4, null],
    ['b', null, 9, null, null],
  ])
})

test('the values of a group are told apart, whatever is in them', (t) => {
  t.is(groupText(':a'), '(empty) · a')
  t.is(groupText('a:x\\:y'), 'a · x:y')
  t.is(groupText('a\\\\:b'), 'a\\ · b')
})

test('a number of distinct values is about so many, where it is an estimate', (t) => {
  t.is(figureText({ statistic: 'UCOUNT' }, 'cnt', 2000), '2,000')
  t.is(figureText({ statistic: 'UCOUNT' }, 'cnt', 17_817), 'about 17,817')
  t.is(figureText({ statistic: 'LIST' }, 'unique', 17_817), 'about 17,817')
  t.is(figureText({ statistic: 'LIST' }, 'cnt', 17_817), '17,817')
  t.is(figureText({ statistic: 'COUNT' }, 'cnt', 17_817), '17,817')
})

test('the picture has streams, the graph, models, notifications and tables, each edge with its names', (t) => {
  const { nodes, edges } = graphOf(
    {
      schema: 'shop',
      graph: 'shop_graph',
      node_info: [
        {
          node: 'visits',
          type: 1,
          parent: [],
          children: ['dear', 'people'],
          state: 0,
          filters: [
            { name: 'f', ostm: 'dear' },
            { name: 'tell', notf: 7 },
          ],
          entities: [
            { name: 'views', rstm: 'people', ratr: [] },
            { name: 'spent', rstm: 'people', ratr: [] },
          ],
          relations: [{ sub: 'a', rel: 'VIEWED', obj: 'b' }],
          predictions: [{ attr: 'risk', model: 'risky', algo: 'SVM' }],
          references: [{ name: 'r', rstm: 'mydb.customers', iatr: ['age'] }],
        },
        { node: 'dear', type: 2, parent: ['visits'], children: [] },
        { node: 'people', type: 4, parent: ['visits'], children: [] },
      ],
    },
    new Map([['visits', 12_345]]),
  )
  t.deepEqual(
    nodes.map(({ title, kind }) => [title, kind]),
    [
      ['visits', 'input node-off'],
      ['dear', 'filter'],
      ['people', 'entity'],
      ['Notification 7', 'notification'],
      ['mydb.customers', 'table'],
      ['risky', 'model'],
      ['shop_graph', 'graph'],
    ],
  )
  t.is(nodes[0]?.detail, 'input · 12.3K events · off')
  t.deepEqual(
    edges.map(({ from, to, label }) => `${from} > ${to}: ${label}`),
    [
      'visits > dear: f',
      'visits > notification:7: tell',
      'visits > people: views, spent',
      'table:mydb.customers > visits: r',
      'model:risky > visits: risk',
      'visits > graph:shop_graph: VIEWED',
    ],
  )
})

const chain = (count: number) => ({
  nodes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, title: `n${n}`, kind: 'input' })),
  // n0 > n1 > n2, n3 > n4 > n5, and so on
  edges: Array.from({ length: count }, (_, n) => n)
    .filter((n) => n % 3 !== 2 && n + 1 < count)
    .map((n) => ({ from: `n${n}`, to: `n${n + 1}`, kind: 'feeds' })),
})
const none: ReadonlySet<string> = new Set()
const idsOf = ({ nodes }: { readonly nodes: readonly { readonly id: string }[] }) => nodes.map(({ id }) => id)

test('a small picture is whole; of a large one what nothing feeds is shown, then what was unfolded', (t) => {
  const graph = chain(30)
  t.is(folded(graph, { unfolded: none, search: '', max: 30 }), graph)
  const first = folded(graph, { unfolded: none, search: '', max: 10 })
  t.deepEqual(idsOf(first), ['n0', 'n3', 'n6', 'n9', 'n12', 'n15', 'n18', 'n21', 'n24', 'n27'])
  t.is(first.nodes[0]?.numHidden, 2)
  const more = folded(graph, { unfolded: new Set(['n0']), search: '', max: 10 })
  t.true(idsOf(more).includes('n1'))
  t.is(more.nodes.find(({ id }) => id === 'n1')?.numHidden, 1)
  const few = folded(graph, { unfolded: none, search: '', max: 4 })
  t.is(few.nodes.at(-1)?.id, restId)
  t.is(few.nodes.at(-1)?.title, '6 more')
  t.is(folded(graph, { unfolded: new Set([restId]), search: '', max: 4 }).nodes.length, 10)
})

test('a search shows what it finds with all that comes before it, and its children', (t) => {
  t.deepEqual(idsOf(folded(chain(30), { unfolded: none, search: 'N13', max: 10 })), ['n12', 'n13', 'n14'])
})

const came = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${from + n}`, data: `{"n":${from + n}}` }))
const shown = (tail: ReturnType<typeof createTail>) => tail.rows().map(({ id }) => Number(id))

test('a tail keeps the latest events, newest first, and counts all', (t) => {
  const tail = createTail(5)
  tail.push(came(0, 3))
  t.deepEqual(shown(tail), [2, 1, 0])
  tail.push(came(3, 4))
  t.deepEqual(shown(tail), [6, 5, 4, 3, 2])
  tail.push(came(7, 1000))
  t.deepEqual(shown(tail), [1006, 1005, 1004, 1003, 1002])
  t.is(tail.numSeen, 1007)
  t.deepEqual(
    tail.rows().map(({ number }) => number),
    [1007, 1006, 1005, 1004, 1003],
  )
})

test('a tail that is paused stands still; resumed, it goes on with the latest', (t) => {
  const tail = createTail(5)
  tail.push(came(0, 2))
  tail.pause()
  tail.push(came(2, 2))
  t.deepEqual(shown(tail), [1, 0])
  t.is(tail.numWaiting, 2)
  tail.push(came(4, 20))
  tail.resume()
  t.deepEqual(shown(tail), [23, 22, 21, 20, 19])
  t.is(tail.numWaiting, 0)
})
