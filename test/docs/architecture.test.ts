import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { root } from '../../scripts/processes/run.js'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

test('the page on the architecture names every noun of the activities, and none that is gone', (t) => {
  const nouns = readdirSync(join(root, 'activities'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const [, table = ''] = page.split('The nouns of `activities`:')
  const named = [...(table.split('\n\n')[1] ?? '').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, noun]) => noun)
  t.deepEqual(named.toSorted(), nouns.map(({ name }) => name).toSorted())
})
