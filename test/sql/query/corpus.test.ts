import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { parse, print } from '../../../sql/query/index.ts'
import { readCorpus } from './corpus.ts'
import { withoutPositions } from './without-positions.ts'

for (const [behaviour, cases] of readCorpus('accepted.txt')) {
  test(`accepted: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const statement = parse(text)
      t.is(print(statement), result)
      t.deepEqual(withoutPositions(parse(result)), withoutPositions(statement), text)
    }
  })
}

for (const [behaviour, cases] of readCorpus('refused.txt')) {
  test(`refused: ${behaviour}`, (t) => {
    for (const { text, result } of cases) {
      const refusal = t.throws(() => parse(text), { instanceOf: Refusal }, text)
      t.deepEqual(refusal.problems, [result])
    }
  })
}
