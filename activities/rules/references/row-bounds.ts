import type { Remembered } from '../../../infra/memory/state.ts'
import type { Operator } from '../../../sql/query/ast.ts'
import { comparisons } from '../../events/compare.ts'
import type { Scalar } from '../../events/values.ts'

/** A comparison of a remembered value with one of the event at hand; `place` is that of the value in the row. */
export type RowTest = { readonly place: number; readonly operator: Operator; readonly operand: Scalar }

/** The least and the greatest value at a place: null where no row has one, 'any' where they cannot be compared. */
type Bound = readonly [least: Scalar, greatest: Scalar] | null | 'any'

/** Bounds of rows: the greatest of their times, and the bounds of their values at the places that are compared. */
export type RowBounds = { readonly pk: number; readonly bounds: readonly Bound[] }

const isScalar = (value: unknown): value is Scalar => value !== null && typeof value !== 'object'

function widened(bound: Bound, value: unknown): Bound {
  if (value === null || value === undefined || bound === 'any') return bound
  if (!isScalar(value)) return 'any'
  if (bound === null) return [value, value]
  const [min, greatest] = bound
  if (!comparisons['<='](min, greatest) || typeof value === 'boolean') return 'any'
  if (comparisons['<'](value, min)) return [value, greatest]
  if (comparisons['>'](value, greatest)) return [min, value]
  return comparisons['='](value, min) || comparisons['<='](min, value) ? bound : 'any'
}

export function withRow(
  known: RowBounds | undefined,
  { pk, value }: Pick<Remembered, 'pk' | 'value'>,
  places: readonly number[],
): RowBounds {
  const values = value as readonly unknown[]
  return {
    pk: known === undefined || pk > known.pk ? pk : known.pk,
    bounds: places.map((place, index) => widened(known?.bounds[index] ?? null, values[place])),
  }
}

/** Whether a row within the bounds may satisfy a comparison. */
function mayHold(bound: Bound | undefined, { operator, operand }: RowTest): boolean {
  if (bound === undefined || bound === 'any') return true
  if (bound === null) return false
  const [min, greatest] = bound
  if (operator === '<' || operator === '<=') return comparisons[operator](min, operand)
  if (operator === '>' || operator === '>=') return comparisons[operator](greatest, operand)
  if (operator === '=') return comparisons['<='](min, operand) && comparisons['>='](greatest, operand)
  return comparisons['!='](min, operand) || comparisons['!='](greatest, operand)
}

/** Whether one of the rows may be of `from` or later, and satisfy all tests. */
export const mayHave = (
  { pk, bounds }: RowBounds,
  from: number,
  tests: readonly RowTest[],
  places: readonly number[],
): boolean => pk >= from && tests.every((test) => mayHold(bounds[places.indexOf(test.place)], test))

/** Rows of a list that lie one behind the other: from `first` to `last`, their bounds, and the least of their times. */
type Block = { readonly first: number; last: Remembered; rows: number; of: RowBounds; least: number }

const blockRows = 64

/**
 * The rows of a list in blocks of 64, so that a search looks into those alone that may have what it looks for. They are
 * made when a search comes, of the rows that have come since the one before. A block may have bounds of rows that are gone.
 */
export function createRowBlocks(places: readonly number[]) {
  /** The blocks of each list object: a list that is read anew from the records has none yet. */
  const blocksOf = new WeakMap<readonly Remembered[], Block[]>()

  /** Undone turns take the last rows away, and may put others in their place: their blocks are made again. */
  function forgetUndone(blocks: Block[], items: readonly Remembered[]): void {
    for (
      let block = blocks.at(-1);
      block && items[placeOfSeq(items, block.last.seq)] !== block.last;
      block = blocks.at(-1)
    )
      blocks.pop()
  }

  /** The blocks of all rows. */
  function blocksFor(items: readonly Remembered[]): readonly Block[] {
    const blocks = blocksOf.get(items) ?? []
    blocksOf.set(items, blocks)
    forgetUndone(blocks, items)
    const oldest = items[0]?.seq ?? 0
    // An undone turn has put one back that had made room.
    if ((blocks[0]?.first ?? 0) > oldest) blocks.length = 0
    const gone = blocks.findIndex(({ last }) => last.seq >= oldest)
    if (gone > 0) blocks.splice(0, gone)
    const end = blocks.at(-1)
    for (let at = end ? placeOfSeq(items, end.last.seq) + 1 : 0; at < items.length; at++) {
      const item = items[at]
      if (!item) continue
      const block = blocks.at(-1)
      if (block && block.rows < blockRows) {
        block.last = item
        block.rows++
        block.of = withRow(block.of, item, places)
        block.least = Math.min(block.least, item.pk)
      } else blocks.push({ first: item.seq, last: item, rows: 1, of: withRow(undefined, item, places), least: item.pk })
    }
    return blocks
  }

  return {
    /** The last row of `from` or later that satisfies all tests, and `isMeant`. */
    findLast(
      items: readonly Remembered[],
      from: number,
      tests: readonly RowTest[],
      isMeant: (item: Remembered) => boolean,
    ): Remembered | undefined {
      const blocks = blocksFor(items)
      for (let index = blocks.length - 1; index >= 0; index--) {
        const block = blocks[index]
        if (!block || !mayHave(block.of, from, tests, places)) continue
        for (let at = placeOfSeq(items, block.last.seq); at >= 0; at--) {
          const item = items[at]
          if (!item || item.seq < block.first) break
          if (item.pk >= from && satisfies(item.value as readonly unknown[], tests) && isMeant(item)) return item
        }
      }
      return undefined
    },

    /** The latest row by time, from `from` to `until`, that satisfies all tests and `isMeant`; of one time the last one. */
    findLatest(
      items: readonly Remembered[],
      [from, until]: readonly [from: number, until: number],
      tests: readonly RowTest[],
      isMeant: (item: Remembered) => boolean,
    ): Remembered | undefined {
      const blocks = blocksFor(items)
      let found: Remembered | undefined
      for (let index = blocks.length - 1; index >= 0; index--) {
        const block = blocks[index]
        const above = found === undefined ? from : found.pk
        if (!block || block.least > until || !mayHave(block.of, above, tests, places)) continue
        for (let at = placeOfSeq(items, block.last.seq); at >= 0; at--) {
          const item = items[at]
          if (!item || item.seq < block.first) break
          if (item.pk > until || item.pk < from || (found && item.pk <= found.pk)) continue
          if (satisfies(item.value as readonly unknown[], tests) && isMeant(item)) found = item
        }
      }
      return found
    },
  }
}

function satisfies(values: readonly unknown[], tests: readonly RowTest[]): boolean {
  for (const { place, operator, operand } of tests) {
    const value = values[place]
    if (!isScalar(value) || value === undefined || !comparisons[operator](value, operand)) return false
  }
  return true
}

/** The place of the last item whose `seq` is not greater; -1 where there is none. */
function placeOfSeq(items: readonly Remembered[], seq: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle]?.seq ?? Number.POSITIVE_INFINITY) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}
