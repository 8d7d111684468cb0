/** The questions that descriptions give to agents: each statement is asked as it stands. */
import test from 'ava'
import { read } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { isLate } from '../../support/shown.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

type Used = { readonly texts: readonly string[]; readonly told: ReturnType<typeof read>; readonly isError: boolean }

async function use(name: string, given: object): Promise<Used> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  return until(name, async (): Promise<Used | undefined> => {
    const { result } = await client.ok(client.post('/mcp', message))
    const texts: string[] = result.content.map(({ text }: { text: string }) => text)
    const text = texts[0] ?? ''
    return isLate(text) ? undefined : { texts, told: read(text), isError: result.isError }
  })
}

/** Attributes with each statistic alone and all together, at two lengths of intervals. */
const attributes: Readonly<Record<string, { type: string; stats: string[]; every?: string }>> = {
  text_count: { type: 'text', stats: ['count'] },
  text_top: { type: 'text', stats: ['top'] },
  text_distinct: { type: 'text', stats: ['distinct'] },
  text_ends: { type: 'text', stats: ['last', 'first'], every: '1h' },
  text_all: { type: 'text', stats: ['count', 'distinct', 'last', 'first', 'top3'] },
  number_summary: { type: 'number', stats: ['summary'], every: '1h' },
  number_all: { type: 'number', stats: ['summary', 'p95', 'distinct', 'last', 'first'] },
  integer_quantiles: { type: 'integer', stats: ['quantiles'] },
  integer_two: { type: 'integer', stats: ['p50', 'p99_9'], every: '1h' },
}

/** Some names are those of results, of words of SQL, and of columns that two attributes would have. */
const more = {
  sum: { type: 'number', stats: ['summary', 'last'] },
  max: { type: 'text', stats: ['distinct'] },
  select: { type: 'text', stats: ['last'] },
  sum_cnt: { type: 'number', stats: ['summary'] },
  flag: { type: 'boolean', stats: ['last', 'distinct'] },
}

const definition = `schema: all
streams:
  events:
    keep: forever
    attributes:
${Object.entries({ ...attributes, ...more })
  .map(([name, attribute]) => `      ${name}: ${JSON.stringify(attribute)}`)
  .join('\n')}
      item: { type: json, fields: { sku: { type: text, stats: [last] }, pieces: { type: integer, stats: [summary, p50] } } }
      who: text
      order: text
    compute:
      twice: { type: number, is: 'sum * 2', stats: [summary] }
    lookups:
      known: { from: people, where: 'who = this.who', take: { spent.sum: spent_before } }
    groups:
      - { by: [who], of: sum, stats: [summary, p95, last], every: 5m }
      - { by: [who], of: max, stats: [distinct], every: 5m }
      - { by: [max, sum], of: twice, stats: [count], every: 1h }
      - { by: [item.sku], of: item.pieces, stats: [summary], every: 1h }
      - { by: [flag], of: who, stats: [first, count], every: 1h }
    filters:
      dear: { where: 'sum > 5', take: [who, sum], into: dear }
    graph:
      - { from: who, relation: TOOK, to: item.sku, with: [sum] }
  others:
    keep: forever
    attributes: { order: text, paid: { type: number, stats: [summary] } }
entities:
  people:
    of: events
    by: who
    values:
      spent: { of: sum, stats: [summary, p95, last] }
      kinds: { of: max, stats: [distinct] }
      times: { of: select, stats: [count] }
joins:
  paid: { first: events, then: others, where: 'first.order = then.order', match: once, within: 1h, into: paid_events, take: { first: [who], then: [paid] } }
patterns:
  rising: { in: events, each: 'this.who = before.who and this.sum > before.sum', times: 2, during: 10m, into: runs, take: [who, sum] }
`

const event = (i: number) => ({
  ...Object.fromEntries(Object.keys(attributes).map((name) => [name, name.startsWith('text') ? `t${i % 3}` : i])),
  ...{
    sum: i,
    max: `m${i % 2}`,
    select: `s${i}`,
    sum_cnt: i / 2,
    flag: i % 2 === 0,
    item: { sku: `k${i % 4}`, pieces: i },
  },
  ...{ who: ['ann', 'bob'][i % 2], order: `o${i}` },
})

type Asked = { asks: string; sql?: string; query?: string; graph_query?: string; graph?: string }

/** Asks every statement of a description. */
async function askAll(questions: readonly Asked[]): Promise<Map<string, readonly object[]>> {
  const rows = new Map<string, readonly object[]>()
  const ask = async ({ asks, sql, query, graph_query, graph }: Asked): Promise<void> => {
    const calls: (readonly [string, object])[] = [
      ...(sql === undefined ? [] : [['sql', { sql }] as const]),
      ...(query === undefined ? [] : [['query', { sql: query }] as const]),
      ...(graph_query === undefined ? [] : [['graph_query', { graph, query: graph_query }] as const]),
    ]
    if (calls.length === 0) throw new Error(`${asks}: no statement`)
    for (const [tool, given] of calls) {
      const { isError, texts, told } = await use(tool, given)
      if (isError) throw new Error(`${asks}: ${JSON.stringify(given)}: ${texts.join('\n')}`)
      rows.set(`${tool}: ${asks}`, told.rows)
    }
  }
  for (let at = 0; at < questions.length; at += 4) await Promise.all(questions.slice(at, at + 4).map(ask))
  return rows
}

test('every statement that describe_stream gives works, of all statistics, groups, entities, rules', async (t) => {
  const { told, texts } = await use('apply_schema', { definition })
  t.is(told.errcode, 0, texts.join())
  await use('send_events', { schema: 'all', stream: 'events', events: Array.from({ length: 12 }, (_, i) => event(i)) })
  await use('send_events', {
    schema: 'all',
    stream: 'others',
    events: [
      { order: 'o3', paid: 5 },
      { order: 'o4', paid: 7 },
    ],
  })
  for (const stream of ['events', 'others', 'people', 'dear', 'paid_events', 'runs']) {
    const { told: described } = await use('describe_stream', { schema: 'all', stream, limit: 1_000 })
    t.true(described.questions.length >= 2, stream)
    const rows = await askAll(described.questions)
    for (const [asked, found] of rows) t.true(found?.length > 0, `${stream}, ${asked}: no rows`)
  }
})

test('every statement that describe_graph and describe_table give works', async (t) => {
  await client.ok(
    client.post('/graph/web/triple', {
      sub: { label: 'P', name: 'ida', prop: {} },
      pred: { rel: 'KNOWS', prop: {} },
      obj: { label: 'P', name: 'bo b', prop: {} },
    }),
  )
  await client.ok(client.post('/db/shelf/table', { table_name: 't', table_type: 1, key_type: 1 }))
  await use('put_record', { database: 'shelf', table: 't', key: 'a', doc: { n: 5, c: 'DE' } })
  const { told: graph } = await use('describe_graph', { graph: 'web' })
  t.like(graph, { labels: [{ label: 'P', nodes: 2 }], relations: [{ relation: 'KNOWS', relations: 1 }] })
  const { told: table } = await use('describe_table', { database: 'shelf', table: 't' })
  t.like(table, { kind: 'records of any members', key: 'text', samples: [{ _pk: 'a', n: 5, c: 'DE' }] })
  for (const { questions } of [graph, table]) {
    for (const [asked, found] of await askAll(questions)) t.true(found?.length > 0, asked)
  }
})

test('a description has 20 KB, and more where an agent asks for more', async (t) => {
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`a_${i}`, { type: 'number', stats: ['summary', 'p95', 'last'] }]),
  )
  await use('apply_schema', { definition: { schema: 'wide', streams: { s: { keep: 'forever', attributes: wide } } } })
  const short = await use('describe_stream', { schema: 'wide', stream: 's' })
  t.true(Buffer.byteLength(short.texts[0] ?? '') <= 20 * 1024)
  t.regex(short.texts.join(), /questions was cut after the first \d+/)
  t.regex(short.texts.join(), /set limit to 1000 for more/)
  const long = await use('describe_stream', { schema: 'wide', stream: 's', limit: 1_000 })
  t.true(long.told.questions.length > 180)
  t.is(long.texts.length, 1)
})
