import test from 'ava'
import { citationsIn } from '../../../scripts/checks/citations.js'

for (const [file, line] of [
  ['api/a.ts', '/** Graphs and queries on them: interface 4.14, decisions 6. */'],
  ['sql/b.ts', ' * the whole process, measured in DESIGN section 6.'],
  ['scripts/c.js', '// the rule of decisions.md 10'],
  ['docs/d.md', 'The review (C12) asked for it.'],
  ['sql/e.ts', '  const rows = 5 // as R5 says'],
  ['infra/docker/compose.yaml', '# see issue #30'],
  ['docs/f.md', 'STYLE.md says how code reads.'],
  ['api/i.ts', '/** As docs/no-such-page.md says. */'],
] as const) {
  test(`a citation that no reader can follow is refused: ${line.trim()}`, (t) => {
    const found = citationsIn(file, `first\n${line}\n`)
    t.true(found.length > 0)
    t.true(found.every((fault) => fault.startsWith(`${file}:2: `)))
  })
}

for (const [file, text] of [
  ['docs/a.md', 'RMSE, MAE and R2 of [the interface](interface.md#models); the interface is the same.'],
  ['test/b.test.ts', "const portions = ['C1', 'R5']"],
  ['sql/c.ts', '  const decisions = new Float64Array(4) // votes'],
  ['sql/d.ts', '// docs/adr/0011-values-are-bound-by-one-function.md'],
  ['sql/e.ts', ' * (Chang and Lin 2011, section 4; https://github.com/ClickHouse/ClickHouse/issues/123)'],
] as const) {
  test(`no citation: ${text}`, (t) => t.deepEqual(citationsIn(file, text), []))
}
