import { readFileSync } from 'node:fs'
import test from 'ava'
import createWabt from 'wabt'
import { blockDotsModule } from '../../../../learn/algorithms/svm/rows/block-dots.ts'
import { type BlockSpace, plainSpace, vectorSpace } from '../../../../learn/algorithms/svm/rows/block-space.ts'
import { fewestRows, setBlockRow } from '../../../../learn/algorithms/svm/rows/blocks.ts'
import { createRandom } from '../../../../learn/random.ts'
import { seed } from '../../../support/random/seed.ts'

const source = new URL('../../../../learn/algorithms/svm/rows/block-dots.wat', import.meta.url)

test('products by WebAssembly have the bits of those by plain code, and neither writes over the rows', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const { uniform, below } = createRandom(seed)
  for (let round = 0; round < 50; round++) {
    const [rows, columns] = [1 + below(100), 1 + below(40)]
    const values = Float64Array.from({ length: rows * columns }, () => (uniform() - 0.5) * 10 ** below(6))
    const x = Float64Array.from({ length: columns }, () => uniform() - 0.5)
    const first = fewestRows * below(Math.ceil(rows / fewestRows))
    const end = first + 1 + below(rows - first)
    const products = (space: BlockSpace | undefined): readonly number[] => {
      if (space === undefined) throw new Error('no memory')
      for (let row = 0; row < rows; row++) setBlockRow(space.blocks, row, columns, values, row * columns)
      const before = space.blocks.slice()
      space.x.set(x)
      space.multiply(first, end)
      t.deepEqual(space.blocks, before)
      return [...space.dots.subarray(0, end - first)]
    }
    const expected = Array.from({ length: end - first }, (_, i) =>
      x.reduce((sum, cell, k) => sum + cell * (values[(first + i) * columns + k] ?? 0), 0),
    )
    t.deepEqual(products(plainSpace(rows, columns)), expected)
    t.deepEqual(products(vectorSpace(rows, columns)), expected)
  }
})

test('a set of rows that 32 bits cannot address goes without WebAssembly', (t) => {
  t.is(vectorSpace(2 ** 20, 2 ** 10), undefined)
})

test('the binary module is the one of its source', async (t) => {
  const { parseWat } = await createWabt()
  const { buffer } = parseWat('block-dots.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({})
  t.is(blockDotsModule, Buffer.from(buffer).toString('base64'))
})
