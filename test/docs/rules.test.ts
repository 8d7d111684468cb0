/** docs/rules.md, whose examples are run in their order. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/rules.md', root), 'utf8')

test('every example of the page about rules gives the answer that is shown', async (t) => {
  const { url, close } = await startService()
  t.teardown(close)
  const examples = examplesOf(page)
  t.true(examples.length > 20, `${examples.length}`)
  await checkExamples(t, examples, { url, analysts: url })
})

test('the page uses each file of examples/rules, and shows each schema as it is', (t) => {
  const found = readdirSync(new URL('examples/rules/', root), { recursive: true, encoding: 'utf8' })
  const files = found.filter((name) => name.includes('.'))
  t.true(files.length > 5, `${files.length}`)
  for (const file of files) {
    t.true(page.includes(`@examples/rules/${file}`), file)
    const text = readFileSync(new URL(`examples/rules/${file}`, root), 'utf8')
    if (file.endsWith('.json')) t.true(page.includes(`\`examples/rules/${file}\`:\n\n\`\`\`json\n${text}\`\`\``), file)
  }
})
