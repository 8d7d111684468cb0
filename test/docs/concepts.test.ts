/** docs/concepts.md, whose examples are run in their order. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/concepts.md', import.meta.url), 'utf8')

const concepts = [
  ...['Event', 'Stream', 'Schema', 'Interval', 'Group', 'Entity', 'Filter', 'Rule'],
  ...['Graph', 'Table', 'Object', 'Model', 'Notification'],
]

test('every example of the page about concepts gives the answer that is shown', async (t) => {
  const { url, close } = await startService()
  t.teardown(close)
  await checkExamples(t, examplesOf(page), { url, analysts: url })
})

test('each concept has a section with an example', (t) => {
  const sections = page.split(/^## /m).slice(1)
  t.deepEqual(
    sections.map((section) => section.split('\n')[0]),
    concepts,
  )
  t.deepEqual(
    sections.filter((section) => examplesOf(section).length === 0),
    [],
  )
})
