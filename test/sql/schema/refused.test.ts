import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { readCorpus } from '../query/corpus.ts'

/** A case is a body or, in short, the streams of schema `s`. */
const bodyOf = (text: string): unknown => {
  const json: unknown = JSON.parse(text)
  return Array.isArray(json) && json.length > 0 ? { schema: 's', streams: json } : json
}

for (const [section, cases] of readCorpus('../schema/refused.txt')) {
  test(`refused with every reason at once: ${section}`, (t) => {
    for (const { text, result } of cases) {
      const { problems } = t.throws(() => decodeSchema(bodyOf(text)), { instanceOf: Refusal }, text)
      t.is(problems.join('\n'), result, text)
    }
  })
}
