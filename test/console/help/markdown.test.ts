/** console/help/markdown.js: the pages of docs/ as trees of elements. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { piecesOf } from '../../../console/help/markdown.js'

test('a fold is closed until it is opened, with its summary and the blocks within, and the page goes on behind it', (t) => {
  const text =
    'Words.\n\n<details>\n<summary>On the wire: <code>refr</code></summary>\n\n`rstm`\n\n```json\n{}\n```\n\n</details>\n\n## Next\n'
  t.deepEqual(piecesOf(text), [
    ['p', null, 'Words.'],
    [
      'details',
      null,
      ['summary', null, 'On the wire: ', ['code', null, 'refr']],
      ['p', null, ['code', null, 'rstm']],
      ['pre', { tabIndex: '0' }, ['code', null, '{}']],
    ],
    ['h2', { id: 'next' }, 'Next'],
  ])
})

test('no page of docs/ shows the marks of a fold as text', (t) => {
  const folder = new URL('../../../docs/', import.meta.url)
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  t.true(pages.length > 20, `${pages.length}`)
  for (const page of pages)
    t.notRegex(JSON.stringify(piecesOf(readFileSync(new URL(page, folder), 'utf8'))), /<\/?(?:details|summary)/, page)
})
