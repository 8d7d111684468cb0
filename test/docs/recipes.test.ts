/** docs/recipes.md: each recipe is run by itself, beside the others, on one service with a fresh folder. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { freePort } from '../../scripts/processes/ports.js'
import { examplesOf } from '../support/examples.ts'
import { type RunningService, startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const page = read('docs/recipes.md')
const recipes = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ title: section.split('\n')[0] ?? '', examples: examplesOf(section) }))

let service: RunningService
let analysts: string

test.before(async () => {
  const port = await freePort()
  service = await startService({ CLICKHOUSE_HTTP_PORT: String(port) })
  analysts = `http://127.0.0.1:${port}`
})
test.after.always(() => service?.close())

for (const { title, examples } of recipes) {
  test(`${title}: every question gives the answer that is shown`, async (t) => {
    t.true(examples.length > 3, `${examples.length}`)
    await checkExamples(t, examples, { url: service.url, analysts })
  })
}

test('there are seventeen recipes, and their files are those of examples/recipes', (t) => {
  t.is(recipes.length, 17)
  const found = readdirSync(new URL('examples/recipes/', root), { recursive: true, encoding: 'utf8' })
  // The programs, whose text the page shows, are run in test/examples/recipes.process.test.ts.
  const files = found.filter((name) => /^(?:schemas|wire|fixtures|training|saved)\//.test(name) && name.includes('.'))
  t.true(files.length > 50, `${files.length}`)
  for (const file of files) {
    const isSent =
      page.includes(`@examples/recipes/${file}`) ||
      page.includes(`-T examples/recipes/${file}`) ||
      page.includes(`fixtures/${file.slice(9)}`)
    t.true(/^(?:wire|saved)\//.test(file) || isSent, file)
    const [kind] = /(?<=\.)(?:json|yaml|sql)$/.exec(file) ?? []
    if (kind)
      t.true(
        page.includes(`\`examples/recipes/${file}\`:\n\n\`\`\`${kind}\n${read(`examples/recipes/${file}`)}\`\`\``),
        file,
      )
  }
})
