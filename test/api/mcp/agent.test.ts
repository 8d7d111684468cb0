/**
 * An agent with the tools of MCP alone: it registers, sends, asks and edits, by what the tools, the pages and the answers before say. Each
 * call is right at the first or second try. Calls and answers are compared with the recorded ones.
 */
import test from 'ava'
import { matchesGolden } from '../../support/golden.ts'
import { read } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { isLate } from '../../support/shown.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const revision = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'
const _meta = { [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: {} }

const transcript: string[] = []

/** Times of the clock, and numbers that follow from them, differ from run to run. */
const masked = (text: string): string =>
  text.replaceAll(/\b1[789]\d{14}\b/g, '<time>').replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, '<time>')

async function send(method: string, params: object, name?: string) {
  const headers = {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  }
  return (await client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers)).body
}

async function use(name: string, given: object) {
  const result = await until(name, async () => {
    const { result } = await send('tools/call', { name, arguments: given }, name)
    return isLate(result.content[0].text) ? undefined : result
  })
  const texts: string[] = result.content.map(({ text }: { text: string }) => text)
  transcript.push(
    `> ${name} ${JSON.stringify(given)}`,
    `${result.isError ? '! ' : '< '}${masked(texts.join('\n  '))}`,
    '',
  )
  return { told: read(texts[0] ?? ''), isError: result.isError as boolean, text: texts.join('\n') }
}

type Question = { asks: string; sql?: string; query?: string }

test('an agent registers, sends, asks and edits, each at the first or second try', async (t) => {
  // The tools and pages that are there.
  const { result: tools } = await send('tools/list', {})
  transcript.push(`tools: ${tools.tools.map(({ name }: { name: string }) => name).join(' ')}`, '')
  const { result: page } = await send('resources/read', { uri: 'weir://pages/words' }, 'weir://pages/words')
  const example = JSON.parse(/^\{"schema".*\}$/m.exec(page.contents[0].text)?.[0] ?? '')
  t.false((await use('list_schemas', {})).isError)

  // A definition after the page's example, at first with a word that there is not.
  const { orders } = example.streams
  const wrong = {
    schema: 'bakery',
    streams: { sales: { ...orders, attribute: orders.attributes, attributes: undefined } },
  }
  const first = await use('check_schema', { definition: wrong })
  t.true(first.isError)
  t.regex(first.text, /did you mean attributes\?/)
  const definition = {
    schema: 'bakery',
    streams: { sales: orders },
    entities: { customers: { ...example.entities.customers, of: 'sales' } },
  }
  const tried = await use('check_schema', { definition })
  t.false(tried.isError)
  t.false((await use('apply_schema', { definition })).isError)

  // Events, one of them bad.
  const at = (minute: number) => `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`
  const events = [
    { _pk: at(1), customer: 'ann', country: 'DE', price: 120 },
    { _pk: at(2), customer: 'bob', country: 'FR', price: 30 },
    { _pk: at(7), customer: 'ann', country: 'DE', price: 60 },
    { _pk: at(8), customer: 'cy', country: 'DE', price: -1 },
  ]
  const sent = await use('send_events', { schema: 'bakery', stream: 'sales', events })
  t.like(sent.told, { accepted: 3, rejected: 1 })
  const mended = { ...events[3], price: 1 }
  t.like((await use('send_events', { schema: 'bakery', stream: 'sales', events: [mended] })).told, { accepted: 1 })

  // Questions: as the description has them, and one that the agent changes.
  const { told: described } = await use('describe_stream', { schema: 'bakery', stream: 'sales' })
  const questions: Question[] = described.questions
  const asked = (asks: RegExp) => questions.find((each) => asks.test(each.asks)) ?? { asks: '' }
  const byCountry = await use('sql', { sql: asked(/price by country, merged/).sql ?? '' })
  t.like(byCountry.told.rows, [
    { country: 'DE', cnt: 3, sum: 181 },
    { country: 'FR', cnt: 1, sum: 30 },
  ])
  const events2 = (asked(/latest events with this/).sql ?? '').replace(/WHERE .* ORDER/, 'WHERE country = "FR" ORDER')
  const quoted = await use('sql', { sql: events2 })
  t.true(quoted.isError)
  t.regex(quoted.text, /single quotes/)
  t.is((await use('sql', { sql: events2.replaceAll('"', "'") })).told.rows.length, 1)
  t.false((await use('query', { sql: asked(/price by country, merged/).query ?? '' })).isError)
  t.like(
    (
      await use('sql', {
        sql: 'SELECT customer, spent_sum FROM bakery.customers WHERE customer IN {who:Array(String)}',
        params: { who: ['ann'] },
      })
    ).told.rows,
    [{ customer: 'ann', spent_sum: 180 }],
  )

  // An edit: the definition as it is, with one statistic more.
  const { told: shown } = await use('describe_schema', { schema: 'bakery' })
  const edited = structuredClone(shown.definition)
  edited.streams.sales.attributes.country = { type: 'text', stats: ['top'] }
  const would = await use('check_schema', { definition: edited })
  t.false(would.isError)
  t.false((await use('apply_schema', { definition: edited })).isError)
  const { told: again } = await use('describe_stream', { schema: 'bakery', stream: 'sales' })
  const most = (again.questions as Question[]).find(({ asks }) => asks === 'the statistics of country over all time')
  t.deepEqual((await use('sql', { sql: most?.sql ?? '' })).told.rows, [
    {
      cnt: 4,
      top: [
        ['DE', 3],
        ['FR', 1],
      ],
    },
  ])

  // An edit that would lose events says so, and how to want it.
  const { streams: _, ...rest } = edited
  const lossy = { ...rest, streams: { other: { keep: 'forever', attributes: { a: 'text' } } }, entities: {} }
  const lost = await use('apply_schema', { definition: lossy })
  t.true(lost.isError)
  t.regex(lost.text, /allow_loss: true/)
  // Nothing that an agent is told sends it to a call that it cannot make.
  const refusals = transcript.filter((line) => line.startsWith('! '))
  for (const line of refusals) t.notRegex(line, /\b(GET|POST|PUT|DELETE) \/|curl|\?(dry|force)=/, line)
  matchesGolden(t, `${transcript.join('\n')}\n`, new URL('agent.golden.txt', import.meta.url))
})
