/** docs/doors.md, each call of which is asked, in its order. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/doors.md', import.meta.url), 'utf8')

test('every call of the page gives the answer that is shown', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const examples = examplesOf(page)
  t.true(examples.length > 6)
  await checkExamples(t, examples, { url: service.url, analysts: service.url })
})
