/** docs/rules.md, whose examples are run in their order. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const page = read('docs/rules.md')

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
    t.true(file.endsWith('schema.json') || page.includes(`@examples/rules/${file}`), file)
    const [kind] = /(?<=\.)(?:json|yaml)$/.exec(file) ?? []
    if (kind)
      t.true(
        page.includes(`\`examples/rules/${file}\`:\n\n\`\`\`${kind}\n${read(`examples/rules/${file}`)}\`\`\``),
        file,
      )
  }
})
