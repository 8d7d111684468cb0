import test from 'ava'
import { encodedWidth } from '../../../learn/encoding/encoding.ts'
import { appendSparse, readSparse, sparseEncoding } from '../../../learn/encoding/sparse.ts'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 5) yield bytes.subarray(at, at + 5)
}

test('LIBSVM data without a list of attributes become sparse rows, columns from 0', async (t) => {
  const table = await readSparse(bytesOf('+1 1:0.5 4:-2\n# note\n-1\n+1 2:0 3:1e-3'))
  t.deepEqual(table, {
    features: {
      rows: 3,
      columns: 4,
      offsets: Int32Array.of(0, 2, 2, 3),
      indices: Int32Array.of(0, 3, 2),
      values: Float64Array.of(0.5, -2, 1e-3),
    },
    target: { kind: 'classes', labels: [1, -1], classes: Int32Array.of(0, 1, 0) },
    notes: ['target: whole numbers with 2 different values, taken as classes; task "regress" takes them as numbers'],
  })
  t.is(encodedWidth(sparseEncoding(table)), 4)
})

test('features of a file held out that the others do not have are passed over, which a note says', async (t) => {
  const [own, held] = [
    await readSparse(bytesOf('1 1:1 2:1\n2 1:2\n')),
    await readSparse(bytesOf('1 2:1 5:1 6:1\n2 1:1\n')),
  ]
  const { features, notes } = appendSparse(own, held)
  t.is(features.columns, 2)
  t.deepEqual(features.indices, Int32Array.of(0, 1, 0, 1, 0))
  t.deepEqual(notes, [
    '1 row held out with features that no other row has, such as 5, 6: they are passed over, as in rows to predict',
  ])
  t.deepEqual(appendSparse(own, own).notes, [])
})

test('fractions as labels are numbers, unless classes are asked for', async (t) => {
  t.is((await readSparse(bytesOf('0.5 1:1\n1 1:2'))).target.kind, 'numbers')
  t.is((await readSparse(bytesOf('0.5 1:1\n1 1:2'), 'classes')).target.kind, 'classes')
})

test('a broken row is refused with its line', async (t) => {
  const refused = (text: string, message: string) => t.throwsAsync(readSparse(bytesOf(text)), { message })
  await refused('1 1:1\n1 2:x\n', "line 2: 'x' is no number")
  await refused(
    '1 1:1\n1 0:1\n',
    'line 2: index 0; without attr_list features count from 1, which dump_svmlight_file of scikit-learn writes with zero_based=False',
  )
  await refused('1 1:1\n1:2\n', 'line 2: the row has no label before its features')
  await refused('1 1:1\nyes 1:2\n', "line 2: 'yes' is no number")
})
