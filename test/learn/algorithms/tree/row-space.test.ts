import { readFileSync } from 'node:fs'
import test from 'ava'
import createWabt from 'wabt'
import { addRowsModule } from '../../../../learn/algorithms/tree/add-rows.ts'
import { codesOfColumn, plainSpace, type RowSpace, vectorSpace } from '../../../../learn/algorithms/tree/row-space.ts'
import { createRandom } from '../../../../learn/random.ts'
import { seed } from '../../make-data.ts'

const source = new URL('../../../../learn/algorithms/tree/add-rows.wat', import.meta.url)

test('sums by bin have the same bits by WebAssembly and by plain code, and count each row of the node once', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const { uniform, below } = createRandom(seed)
  for (let round = 0; round < 30; round++) {
    const [rows, columns] = [1 + below(200), below(12)]
    const codes = Uint8Array.from({ length: rows * columns }, () => below(codesOfColumn))
    const slopes = Float64Array.from({ length: 2 * rows }, () => (uniform() - 0.5) * 10 ** below(6))
    const order = Int32Array.from({ length: rows }, () => below(rows))
    const start = below(rows)
    const end = start + below(rows - start + 1)
    const summed = (space: RowSpace | undefined) => {
      if (space === undefined) throw new Error('no memory')
      space.codes.set(codes)
      space.slopes.set(slopes)
      space.order.set(order)
      space.add(start, end)
      t.deepEqual([...space.codes], [...codes], 'the rows are as they were')
      return { sums: [...space.sums], counts: [...space.counts] }
    }
    const found = summed(vectorSpace(rows, columns))
    t.deepEqual(found, summed(plainSpace(rows, columns)))
    t.is(
      found.counts.reduce((sum, count) => sum + count, 0),
      (end - start) * columns,
    )
  }
})

test('rows are parted and their slopes summed alike by WebAssembly and by plain code', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const { uniform, below } = createRandom(seed)
  for (let round = 0; round < 50; round++) {
    const [rows, columns] = [1 + below(200), 1 + below(12)]
    const most = 1 + below(6)
    const codes = Uint8Array.from({ length: rows * columns }, () => below(most))
    const slopes = Float64Array.from({ length: 2 * rows }, () => (uniform() - 0.5) * 10 ** below(6))
    const start = below(rows)
    const end = start + below(rows - start + 1)
    const parting = { column: below(columns), bin: below(most), missing: below(most), missingLeft: uniform() < 0.5 }
    const parted = (space: RowSpace | undefined) => {
      if (space === undefined) throw new Error('no memory')
      space.codes.set(codes)
      space.slopes.set(slopes)
      space.order.set(Int32Array.from({ length: rows }, (_, row) => row))
      const total = [...space.total(start, end)]
      const middle = space.part(start, end, parting)
      t.deepEqual([...space.codes], [...codes], 'the rows are as they were')
      t.deepEqual([...space.slopes], [...slopes])
      return { total, middle, order: [...space.order] }
    }
    const found = parted(vectorSpace(rows, columns))
    t.deepEqual(found, parted(plainSpace(rows, columns)))
    const isLeft = (row: number): boolean => {
      const code = codes[row * columns + parting.column] ?? 0
      return code === parting.missing ? parting.missingLeft : code <= parting.bin
    }
    const own = Array.from({ length: rows }, (_, row) => row)
    const parts = own.slice(start, end)
    t.deepEqual(found.order, [
      ...own.slice(0, start),
      ...parts.filter(isLeft),
      ...parts.filter((row) => !isLeft(row)),
      ...own.slice(end),
    ])
  }
})

test('the binary module is the one of its source', async (t) => {
  const { parseWat } = await createWabt()
  const { buffer } = parseWat('add-rows.wat', readFileSync(source, 'utf8'), { simd: true, bulk_memory: true }).toBinary(
    {},
  )
  t.is(addRowsModule, Buffer.from(buffer).toString('base64'))
})
