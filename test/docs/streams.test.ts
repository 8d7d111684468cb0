/** docs/streams.md, each call and query of which is asked, in its order. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf, matches, runExample } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/streams.md', root), 'utf8')

/** A query, and its answer on the line below. */
const queries = [...page.matchAll(/```query\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  [...block.matchAll(/^(.+)\n(.+)$/gm)].map(([, sql = '', answer = '']) => ({ sql, answer })),
)

test('every call and query of the page gives the answer that is shown', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const post = async (path: string, body: string) =>
    (await fetch(service.url + path, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })).text()
  const calls = examplesOf(page)
  for (const { command, answer } of calls) {
    const given = (await runExample(command, service.url, service.url)).trimEnd()
    t.true(matches(given, answer), `${command}\n${given}\nis not\n${answer}`)
  }
  for (const { sql, answer } of queries) {
    const given = await post('/db/mydb/query', JSON.stringify({ sql, rows: 'objects' }))
    t.true(matches(given, answer), `${sql}\n${given}\nis not\n${answer}`)
  }
  t.true(calls.length > 14 && queries.length > 10, `${calls.length}, ${queries.length}`)
})
