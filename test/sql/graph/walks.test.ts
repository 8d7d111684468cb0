/** Random queries over random graphs, answered by ClickHouse and by a naive walk. */
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { namedNodes } from '../../../sql/graph/check.ts'
import {
  compileQuery,
  type GraphQuery,
  nodeInput,
  nodeLines,
  parseGraph,
  rowPlace,
  tripleInput,
  tripleLine,
} from '../../../sql/graph/index.ts'
import { createGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { createRandom } from '../../support/random/random.ts'
import { randomFor, rounds, runs, seed } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { now_us } from './naive/compare.ts'
import { type Graph, randomGraph } from './naive/graph.ts'
import { countingQuery, randomQuery } from './naive/query.ts'
import { distinct, firstBy, type Row, rowsOf } from './naive/rows.ts'
import { walksOf } from './naive/walk.ts'

const cases = rounds(runs(120, 2_000), 60)
const casesPerGraph = 40
/** The number of queries that must find something: where graphs of a seed are sparse, more of both are tried. */
const wantedWithRows = cases / 10
/** For choices on which no answer may depend. */
const random = createRandom(seed + 2)

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.after.always(() => clickhouse.close())

async function store(name: string, graph: Graph): Promise<void> {
  for (const statement of createGraph(name)) await clickhouse.run(statement)
  const json = (properties: object) =>
    Object.entries(properties).map(([key, value]) => [key, JSON.stringify(value)] as const)
  const nodes = graph.nodes.map(({ properties, ...key }, index) =>
    nodeLines({ ...key, properties: json(properties) }, index),
  )
  await clickhouse.insert({ table: nodeInput(name), rows: Buffer.from(nodes.join('')) })
  const triples = graph.triples.map(({ seq, properties, ...rest }) =>
    tripleLine({ ...rest, properties: json(properties) }, seq),
  )
  if (triples.length > 0) await clickhouse.insert({ table: tripleInput(name), rows: Buffer.from(triples.join('')) })
}

type Answer = { readonly rows: readonly Row[]; readonly last?: string }

async function ask(graph: string, query: GraphQuery, rows?: number, after?: string): Promise<Answer> {
  const page = {
    places: true,
    ...(rows !== undefined && { rows }),
    ...(after !== undefined && { after: rowPlace.parse(JSON.parse(after)) }),
  }
  const isCluster = random.chance(0.3)
  // Tables that are known to be small are read as a whole where large ones are read by keys.
  const stored = random.chance(0.5) ? { stored: { relations: 0, properties: 0 } } : {}
  const { statement } = compileQuery(query, { graph, now_us, places: new Map(), isCluster, ...stored }, page)
  const lines = (await clickhouse.read(statement, 'TSVRaw')).toString('utf8').split('\n').slice(0, -1)
  const cells = lines.map((line) => line.split('\t'))
  const last = cells.at(-1)?.[1]
  return { rows: cells.map(([row = '']) => JSON.parse(row)), ...(last !== undefined && { last }) }
}

/** To nine digits; the rest of a sum that cancels is 0. */
const rounded = (value: number): number => (Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(9)))

/** Equal rows have equal texts: members in order, and numbers to nine digits. */
const text = (row: Row): string =>
  JSON.stringify(
    Object.entries(row)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
  )

const rank = (value: unknown): number => (value === undefined ? 2 : typeof value === 'number' ? 0 : 1)

/** Whether two neighbours are in the order that SORT asks for. */
function inOrder(left: unknown, right: unknown, descending: boolean): boolean {
  if (rank(left) !== rank(right)) return rank(left) < rank(right)
  if (rank(left) === 2) return true
  const sign =
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : Buffer.compare(Buffer.from(asText(left)), Buffer.from(asText(right)))
  return descending ? sign >= 0 : sign <= 0
}
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

test('random queries over random graphs equal a naive walk', async (t) => {
  t.timeout(1_500_000)
  const queries = randomFor(t)
  let withRows = 0
  for (let number = 0; number < cases || (withRows < wantedWithRows && number < 5 * cases); number++) {
    const graphNumber = Math.floor(number / casesPerGraph)
    const name = `g${graphNumber}`
    const graph = randomGraph(createRandom(seed + graphNumber))
    if (number % casesPerGraph === 0) await store(name, graph)
    const written = randomQuery(queries)
    const about = `${written}\n${JSON.stringify(graph.nodes)}\n${JSON.stringify(graph.triples.map(({ subject, relation, object, properties }) => [subject.label, subject.name, relation, object.label, object.name, properties]))}`
    const query = parseGraph(written)
    const isDistinct = query.modifier?.kind === 'DISTINCT' || query.modifier?.kind === 'UNIQUE_SELECT'
    const naive = rowsOf(graph, query)
    const expected = isDistinct ? distinct(naive) : naive
    const { rows } = await ask(name, query).catch((error) => {
      throw new Error(`${error}\n${about}`)
    })
    if (rows.length > 0) withRows++
    if (JSON.stringify(rows.map(text).sort()) !== JSON.stringify(expected.map(text).sort())) {
      t.deepEqual(rows.map(text).sort(), expected.map(text).sort(), about)
      return
    }
    const sort = query.returning?.sort
    if (sort) {
      const values = rows.map((row) => row[sort.column.name])
      for (let i = 1; i < values.length; i++) {
        if (!inOrder(values[i - 1], values[i], sort.descending))
          t.fail(`not sorted: ${JSON.stringify(values)}\n${about}`)
      }
    }
    if (written.includes('AS f') && rows.length > 0) {
      const { rows: limited } = await ask(name, query, rows.length)
      t.deepEqual(limited.map(text).sort(), expected.map(text).sort(), `LIMIT ${rows.length}: ${about}`)
    }
    if (number % 3 === 0 && rows.length > 1 && rows.length < 60 && !written.includes('AS f')) {
      // Few pages: each takes as long as the whole.
      const size = Math.max(queries.whole(1, 7), Math.ceil(rows.length / 4))
      const paged: Row[] = []
      let after: string | undefined
      do {
        const page: Answer = await ask(name, query, size, after)
        paged.push(...page.rows)
        after = page.rows.length < size ? undefined : page.last
      } while (after !== undefined)
      if (JSON.stringify(paged.map(text)) !== JSON.stringify(rows.map(text))) {
        t.deepEqual(paged.map(text), rows.map(text), `in pages of ${size}: ${about}`)
        return
      }
    }
  }
  t.true(withRows >= wantedWithRows, `only ${withRows} queries found anything`)
})

test('walks that nothing tells apart count each for itself', async (t) => {
  const random = randomFor(t)
  let most = 0
  for (let number = 0; number < runs(60, 600); number++) {
    const name = `counted${Math.floor(number / 15)}`
    const graph = randomGraph(createRandom(seed + Math.floor(number / 15)))
    if (number % 15 === 0) await store(name, graph)
    const written = countingQuery(random)
    const query = parseGraph(written)
    const expected = rowsOf(graph, query)
    most = Math.max(most, ...expected.map(({ f0 }) => Number(f0)))
    const limit = random.chance(0.5) && expected.length > 0 ? expected.length : undefined
    const { rows } = await ask(name, query, limit)
    t.deepEqual(rows.map(text).sort(), expected.map(text).sort(), `${written} LIMIT ${limit}`)
  }
  t.true(most > 1, `no more than ${most} walks were counted in one`)
})

test('UNIQUE and UNIQUE_IN_CONTEXT leave one walk for each combination of their nodes', async (t) => {
  const queries = randomFor(t)
  const graph = randomGraph(createRandom(seed + 777))
  await store('unique', graph)
  let tried = 0
  while (tried < cases / 4) {
    const modifier = queries.pick(['UNIQUE', 'UNIQUE_IN_CONTEXT'])
    const written = randomQuery(queries).replace(/^s(\{\w+\})?/, `s{${modifier}}`)
    if (/ AS f| WHERE /.test(written) || !/RETURN/.test(written) || !/n\d\.|RETURN \*/.test(written)) continue
    const query = parsed(written)
    if (query === undefined || query.pattern.links.length === 0) continue
    tried++
    const walks = walksOf(graph, query)
    const places = modifier === 'UNIQUE' ? [0, query.pattern.nodes.length - 1] : namedNodes(query)
    const perWalk = query.returning?.items === '*' ? query.pattern.links.length : 1
    const { rows } = await ask('unique', query)
    t.is(rows.length, firstBy(walks, places).length * perWalk, written)
    const possible = new Set(rowsOf(graph, query).map(text))
    t.true(
      rows.map(text).every((row) => possible.has(row)),
      written,
    )
  }
})

/** UNIQUE_IN_CONTEXT is refused where RETURN names no node. */
function parsed(written: string): GraphQuery | undefined {
  try {
    return parseGraph(written)
  } catch {
    return undefined
  }
}
