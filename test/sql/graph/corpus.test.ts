import test from 'ava'
import { compileTriples, parseGraph, printGraph } from '../../../sql/graph/index.ts'
import { Refusal } from '../../../sql/refusal.ts'
import { bind } from '../../../sql/statement.ts'
import { readCorpus } from '../query/corpus.ts'
import { withoutPositions } from './without-positions.ts'

for (const [behaviour, cases] of readCorpus('../graph/accepted.txt')) {
  test(`accepted: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const query = parseGraph(text)
      t.is(printGraph(query), result)
      t.deepEqual(withoutPositions(parseGraph(result)), withoutPositions(query), text)
    }
  })
}

for (const [behaviour, cases] of readCorpus('../graph/refused.txt')) {
  test(`refused: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const refusal = t.throws(() => parseGraph(text), { instanceOf: Refusal }, text)
      t.deepEqual(refusal.problems, [result])
    }
  })
}

for (const [behaviour, cases] of readCorpus('../graph/compiled.txt')) {
  test(`compiled: ${behaviour}`, (t) => {
    for (const { text, result } of cases) t.is(bind(compileTriples('air_graph', parseGraph(text), 1000)), result, text)
  })
}
