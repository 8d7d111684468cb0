/** docs/graph-language.md, each statement of which is run, in its order, on a graph `film`. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { matches } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/graph-language.md', import.meta.url), 'utf8')
const success = '{"msg":["success"],"errcode":0}'

/** A line of a block that is no answer is a statement; one without an answer below it changes the graph. */
function statements(): { readonly text: string; readonly answer: string }[] {
  const lines = [...page.matchAll(/```graph\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trimEnd().split('\n'))
  return lines.flatMap((text, index) => {
    const below = lines[index + 1]
    if (text.startsWith('{')) return []
    return [{ text, answer: below?.startsWith('{') ? below : success }]
  })
}

test('every statement of the page gives the answer that is shown', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  await fetch(`${service.url}/graph/film/new`)
  const asked = statements()
  for (const { text, answer } of asked) {
    const response = await fetch(`${service.url}/graph/film/query`, { method: 'POST', body: text })
    const given = await response.text()
    t.true(matches(given, answer), `${text}\n${given}\nis not\n${answer}`)
  }
  t.true(asked.length > 35, `${asked.length}`)
})
