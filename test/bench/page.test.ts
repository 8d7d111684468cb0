import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { withFigures } from '../../bench/page.ts'
import { partNames } from '../../bench/part-names.ts'
import { asMarkdown } from '../../bench/report.ts'

const page =
  'before\n<!-- bench: shop -->\nold\n<!-- end: shop -->\nbetween\n<!-- bench: kafka -->\nkept\n<!-- end: kafka -->\n'

test('a part is written between its own marks, and nothing else changes', (t) => {
  const written = withFigures(page, 'shop', 'a day, a machine', '| a table |')
  t.is(
    written,
    'before\n<!-- bench: shop -->\n\na day, a machine\n\n| a table |\n\n<!-- end: shop -->\nbetween\n<!-- bench: kafka -->\nkept\n<!-- end: kafka -->\n',
  )
  t.is(withFigures(written, 'shop', 'a day, a machine', '| a table |'), written, 'again')
  t.throws(() => withFigures(page, 'models', '', ''), { message: /no place for models/ })
})

test('the page of figures has a place for every part', (t) => {
  const figures = readFileSync(new URL('../../docs/figures.md', import.meta.url), 'utf8')
  for (const part of partNames) t.notThrows(() => withFigures(figures, part, '', ''))
})

test('what misses its target is bold, and a bar in a cell stays in it', (t) => {
  const figure = { part: 'x', what: 'a | b', weir: '3 ms', beside: 'floor 1 ms', target: '2 ms' }
  t.is(
    asMarkdown([{ ...figure, isMet: false }, { ...figure, isMet: true }, figure]),
    [
      '| measured | Weir | beside it | target |',
      '| --- | --- | --- | --- |',
      '| a \\| b | **3 ms** | floor 1 ms | 2 ms |',
      '| a \\| b | 3 ms | floor 1 ms | 2 ms |',
      '| a \\| b | 3 ms | floor 1 ms | 2 ms |',
    ].join('\n'),
  )
})

test('each part of the benchmark has a test that runs it', (t) => {
  const files = readdirSync(new URL('parts', import.meta.url))
  for (const part of partNames)
    t.true(
      files.some((file) => file.startsWith(`${part}.process.test.`)),
      part,
    )
})
