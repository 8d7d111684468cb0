import type { SparseMatrix } from '../../../../learn/dataset.ts'
import type { Cell, Row } from '../../../../learn/formats/row.ts'
import type { PreparedRows } from './prepared.ts'

const mostCells = 100_000
const mostRows = 32

/** The first rows as a client would send them. */
export function sampleOf(prepared: PreparedRows): readonly Row[] {
  return prepared.kind === 'table' ? prepared.sample : sparseSample(prepared.features)
}

function sparseSample({ rows, columns, offsets, indices, values }: SparseMatrix): Row[] {
  const count = Math.min(rows, mostRows, Math.max(1, Math.floor(mostCells / columns)))
  return Array.from({ length: count }, (_, row) => {
    const cells: Cell[] = new Array(columns).fill(0)
    for (let at = offsets[row] ?? 0; at < (offsets[row + 1] ?? 0); at += 1) cells[indices[at] ?? 0] = values[at]
    return { line: row + 1, cells, target: undefined }
  })
}
