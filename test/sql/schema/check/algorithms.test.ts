import test from 'ava'
import { checkAlgorithms } from '../../../../sql/schema/check/algorithms.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'

const schema = (algo: string) =>
  decodeSchema({
    schema: 's',
    streams: [
      {
        name: 'people',
        type: 1,
        attr: [{ name: 'age', type: 11 }],
        catr: [{ name: 'label', type: 5, opnm: 'PRED', model: 'm', iatr: ['age'], algo }],
      },
    ],
  })

test('an algorithm that is not there is refused with those that are', (t) => {
  t.throws(() => checkAlgorithms(schema('FOO')), {
    message:
      "streams[0].catr[0].algo: unknown algorithm 'FOO'; known are SVM, LIN, PROJ_LIN, TREE, KMEANS, IE, IE_SENT, IE_NER, PY",
  })
  for (const algo of ['svm', 'Tree', 'IE_SENT']) t.notThrows(() => checkAlgorithms(schema(algo)))
})
