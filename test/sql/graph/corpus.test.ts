import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { parseStatement, printGraph } from '../../../sql/graph/index.ts'
import { readCorpus } from '../query/corpus.ts'
import { withoutPositions } from './without-positions.ts'

for (const [behaviour, cases] of readCorpus('../graph/accepted.txt')) {
  test(`accepted: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const statement = parseStatement(text)
      t.is(printGraph(statement), result)
      t.deepEqual(withoutPositions(parseStatement(result)), withoutPositions(statement), text)
    }
  })
}

for (const [behaviour, cases] of readCorpus('../graph/refused.txt')) {
  test(`refused: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const refusal = t.throws(() => parseStatement(text), { instanceOf: Refusal }, text)
      t.deepEqual(refusal.problems, [result])
    }
  })
}
