import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import { createService } from '../../api/service.ts'
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/client.ts'
import { readConfig } from '../../infra/config.ts'
import { createLogger } from '../../infra/logger.ts'
import { freePort } from '../../scripts/processes/ports.js'
import { examplesOf } from '../support/examples.ts'
import { checkExamples } from '../support/shown.ts'

const pageOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const [readme, tour] = [pageOf('README.md'), pageOf('docs/tour.md')]

type Served = { readonly url: string; readonly analysts: string; readonly folder: string; stop(): Promise<void> }

/** A service in a temporary folder on free ports; `stop` ends it and leaves the folder. */
async function serve(t: ExecutionContext): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-demo-'))
  const port = await freePort()
  const settings = { DATA_DIR: folder, CLICKHOUSE_HTTP_PORT: String(port) }
  const service = await createService(readConfig(settings), createLogger('silent'))
  service.server.listen(0, '127.0.0.1')
  await once(service.server, 'listening')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`
  return { url, analysts: `http://127.0.0.1:${port}`, folder, stop: service.close }
}

async function runDemo(url: string, ...args: readonly string[]) {
  const demo = spawn(process.execPath, ['--import=tsx', 'examples/demo.ts', ...args], {
    env: { ...process.env, WEIR_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors, [code]] = await Promise.all([text(demo.stdout), text(demo.stderr), once(demo, 'close')])
  return { out, errors, code }
}

/** The tour's query for analysts, and its answer. */
function analystsExample(): { text: string; table: string } {
  const [, sql = '', table = ''] = /```sql\n([\s\S]*?)```\n\n((?:\|.*\n)+)/.exec(tour) ?? []
  return { text: sql, table: table.trim() }
}

/** The tour's questions to the graph of the flights, each with the names in its answer. */
function graphExamples(): { query: string; names: string }[] {
  return [...tour.matchAll(/^\| `(s[{=].*)` \| (.*) \|$/gm)].map(([, query = '', names = '']) => ({ query, names }))
}

const flight = (delay: number): string =>
  `{"_pk":985000000000000,"delay":${delay},"distance":1,"origin":"SFO","destination":"LAX","date":"2001/03/19 11:06"}`

test('the demo loads the flights once and shows every kind of query, its statistics are those of the file, and the README tells its answers', async (t) => {
  const { url, analysts, folder, stop } = await serve(t)

  const first = await runDemo(url)
  t.is(first.code, 0, first.errors)
  t.regex(first.out, /20,000 flights stored and queryable in/)
  t.regex(first.out, /2001\/03\/31 22:27 +-9 +83 +CLT +GSO/)
  t.regex(first.out, /2001-03-31 +202 +287 +-32 +215/)
  t.regex(first.out, / 20000 +154078 +-59 +522 +7\.7 +31\.32 +3\.87 +28\.35/)
  t.regex(first.out, /3,376 airports stored in/)
  t.regex(first.out, /SFO +San Francisco +CA/)
  t.regex(first.out, /from three years: right for 82\.3 % of 220 days held out/)
  t.regex(first.out, /guessed as its days came in: right for 83\.8 %/)
  t.regex(first.out, /4000 +30\.27 +18\.95 +0\.06/)
  t.regex(first.out, /One pass over the file gives the same/)
  t.regex(first.out, / DFW +5\.\d/)
  t.regex(first.out, / MFR > SFO > CLT > MYR/)
  const examples = graphExamples()
  t.is(examples.length, 5)
  for (const { query, names } of examples) {
    const response = await fetch(`${url}/graph/air_graph/query`, { method: 'POST', body: query })
    const answer = (await response.json()) as Readonly<Record<string, readonly { name: string }[]>>
    t.is((answer.rows ?? answer.nodes)?.map(({ name }) => name).join(', '), names, query)
  }

  const asked = examplesOf(readme)
  t.is(asked.length, 18)
  await checkExamples(t, asked, { url, analysts })

  const second = await runDemo(url)
  t.is(second.code, 0, second.errors)
  t.regex(second.out, /nothing is loaded twice/)

  await fetch(`${url}/stream/air/flights`, { method: 'POST', body: flight(9_999) })
  const third = await runDemo(url)
  t.is(third.code, 1)
  t.regex(third.errors, /delay over the quarter, max: 9999, the file has 522/)

  const anew = await runDemo(url, '--reset')
  t.is(anew.code, 0, anew.errors)
  t.regex(anew.out, /20,000 flights stored and queryable in/)
  await stop()

  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
  const { text: sql, table } = analystsExample()
  t.is((await clickhouse.read({ text: sql, params: {} }, 'Markdown')).toString().trim(), table)
  await clickhouse.close()
})

test('the demo says so when no service is running', async (t) => {
  const { errors, code } = await runDemo('http://127.0.0.1:1')
  t.is(code, 1)
  t.regex(errors, /^No Weir answers at http:\/\/127\.0\.0\.1:1\. Start one with "npm start"/)
})
