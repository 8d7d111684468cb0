import test from 'ava'
import { citationsIn, misplacedIn } from '../../../scripts/checks/citations.js'

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

const files: Record<string, string> = {
  'a/log.ts': "import { createLog } from './x.ts'\n\nexport function createLog() {}\nconst createLogs = 1\n",
}
const look = (text: string) => misplacedIn('docs/p.md', text, (path) => files[path] ?? '')

test('a line of the code that a page names has the name beside it', (t) => {
  t.deepEqual(look('The log (`createLog` (`a/log.ts:3`)) and `createLogs`\n(`a/log.ts:4`).').faults, [])
  t.deepEqual(look('no line: `createLog` (`a/log.ts`)').faults, [])
})

test('a line that the name has left is told and written anew, where a definition is rather than an import', (t) => {
  const { faults, mended } = look('`createLog` (`a/log.ts:4`)')
  t.deepEqual(faults, ['docs/p.md: createLog is not in line 4 of a/log.ts, but in 3'])
  t.is(mended, '`createLog` (`a/log.ts:3`)')
})

test('a name that is nowhere in its file, and a file that is gone, are told and left', (t) => {
  for (const text of ['`createX` (`a/log.ts:1`)', '`createLog` (`b/gone.ts:1`)']) {
    const { faults, mended } = look(text)
    t.regex(faults.join(), /nor in another/)
    t.is(mended, text)
  }
})
