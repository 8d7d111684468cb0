/** docs/models/examples.md: each model is trained and asked by itself, beside the others, and has the figures that are shown. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import test from 'ava'
import { ordersOfShop } from '../../examples/churn/orders.ts'
import { pricesOfHouses } from '../../examples/houses/houses.ts'
import { reviewsOfThings } from '../../examples/reviews/reviews.ts'
import { freePort } from '../../scripts/processes/ports.js'
import { examplesOf } from '../support/examples.ts'
import { matchesGolden } from '../support/golden.ts'
import { type RunningService, startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

// Tests run in a mirror of the repository, whose examples are compiled, and in which the README is a link.
const readme = realpathSync(fileURLToPath(new URL('../../README.md', import.meta.url)))
const root = new URL('./', pathToFileURL(readme))
const page = readFileSync(new URL('docs/models/examples.md', root), 'utf8')
const models = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ title: section.split('\n')[0] ?? '', examples: examplesOf(section) }))

const data = {
  'examples/churn/orders.ndjson': ordersOfShop,
  'examples/houses/houses.csv': pricesOfHouses,
  'examples/reviews/reviews.txt': reviewsOfThings,
}

let service: RunningService
let analysts: string

test.before(async () => {
  const port = await freePort()
  service = await startService({ CLICKHOUSE_HTTP_PORT: String(port) })
  analysts = `http://127.0.0.1:${port}`
})
test.after.always(() => service?.close())

for (const { title, examples } of models) {
  test(`${title}: every call gives the answer, and the model the figures, that are shown`, async (t) => {
    t.true(examples.length >= 6, `${examples.length}`)
    await checkExamples(t, examples, { url: service.url, analysts })
  })
}

for (const [file, make] of Object.entries(data))
  test(`${file} is what its program makes`, (t) => matchesGolden(t, make(), new URL(file, root)))

test('there are three models; the page sends their files and shows their requests, and they are below 200 KB', (t) => {
  t.is(models.length, 3)
  const files = ['churn', 'houses', 'reviews'].flatMap((folder) =>
    readdirSync(new URL(`examples/${folder}/`, root)).map((name) => `examples/${folder}/${name}`),
  )
  for (const file of files.filter((name) => !/\.ts$|schema\.json$/.test(name)))
    t.regex(page, new RegExp(`(?:@|-T )${file}`))
  for (const file of files.filter((name) => /\.(?:json|yaml|sql)$/.test(name)))
    t.true(page.includes(`\n${readFileSync(new URL(file, root), 'utf8')}\`\`\``), file)
  const bytes = files.reduce((sum, file) => sum + statSync(new URL(file, root)).size, 0)
  t.true(bytes < 200_000, `${bytes}`)
})
