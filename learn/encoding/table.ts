import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../dataset.ts'
import { type Cell, isBroken, placeOf, type ReadRow, type Row } from '../formats/row.ts'
import type { Column, Kind, Layout } from '../layout.ts'
import { noNumber, toNumber } from './number.ts'
import { createNumberColumn } from './numbers.ts'
import { createTargetColumn, decideTask, type Task } from './target.ts'
import { createWordColumn } from './words.ts'

/** This many rows decide the kinds that `attr_list` leaves open, or fewer rows with this many cells. */
const decidingRows = 10_000
const decidingCells = 2_000_000

export type NumberData = ReturnType<ReturnType<typeof createNumberColumn>['finish']>
export type WordData = ReturnType<ReturnType<typeof createWordColumn>['finish']>

/** Training data by columns, typed: 8 bytes a number, 4 bytes a word. */
export type Table = {
  readonly layout: Layout
  readonly rows: number
  readonly columns: readonly (NumberData | WordData)[]
  readonly target: Target
  /** Rows without a target, which are not taken. */
  readonly dropped: number
}

/** `task` is the task that the algorithm's parameters ask for; without one, the target's type and its first values decide. */
export function createTableBuilder(layout: Layout, task?: Task) {
  let first: Row[] = []
  let filling: ReturnType<typeof startFilling> | undefined
  const deciding = Math.max(1, Math.min(decidingRows, Math.floor(decidingCells / layout.columns.length)))

  const start = () => {
    filling = startFilling(layout, first, task)
    for (const row of first) filling.add(row)
    first = []
    return filling
  }

  return {
    /** Throws a `Refusal` with line and column at the first row that cannot be taken. */
    add: (rows: readonly ReadRow[]) => {
      for (const row of rows) {
        if (isBroken(row)) throw new Refusal(placeOf(row))
        if (filling !== undefined) filling.add(row)
        else if (first.push(row) === deciding) start()
      }
    },
    /** The bytes that the rows so far take. */
    bytes: (): number => filling?.bytes() ?? 0,
    finish: (): Table => (filling ?? start()).finish(),
  }
}

function startFilling(layout: Layout, first: readonly Row[], asked: Task | undefined) {
  const columns = layout.columns.map((column, i) =>
    withKind(
      column,
      first.map(({ cells }) => cells[i]),
    ),
  )
  const cells = first.flatMap(({ target }) => (target === undefined ? [] : [target]))
  const target = layout.target === undefined ? undefined : withKind(layout.target, cells)
  const task = target === undefined ? 'none' : (asked ?? layout.target?.task ?? decideTask(cells))
  const takers = columns.map(({ name, kind }) => (kind === 'number' ? takeNumbers(name) : takeWords(name)))
  const targets = createTargetColumn(task, target?.kind ?? 'number', layout.target?.task === 'classes')
  const rowBytes = columns.reduce((sum, { kind }) => sum + (kind === 'number' ? 8 : 4), 8)
  let rows = 0
  let dropped = 0

  return {
    bytes: () => rows * rowBytes,
    add: (row: Row) => {
      if (task !== 'none' && row.target === undefined) {
        dropped += 1
        return
      }
      const wrong = targets.add(row.target)
      if (wrong !== undefined) throw brokenCell(row, target?.name, row.places?.target, wrong)
      for (let i = 0; i < takers.length; i += 1) {
        const reason = takers[i]?.add(row.cells[i])
        if (reason !== undefined) throw brokenCell(row, columns[i]?.name, row.places?.columns[i], reason)
      }
      rows += 1
    },
    finish: (): Table => {
      const known = { ...layout, columns, ...(target === undefined ? {} : { target: { ...layout.target, ...target } }) }
      return { layout: known, rows, columns: takers.map((taker) => taker.finish()), target: targets.finish(), dropped }
    },
  }
}

export function brokenCell(
  { line }: Row,
  attribute: string | undefined,
  place: number | undefined,
  reason: string,
): Refusal {
  const named = attribute === undefined ? {} : { attribute }
  return new Refusal(placeOf({ line, ...(place === undefined ? {} : { column: place + 1 }), ...named, reason }))
}

function takeNumbers(name: string) {
  const column = createNumberColumn(name)
  return {
    add: (cell: Cell): string | undefined => {
      const number = toNumber(cell)
      if (number === undefined) return noNumber(cell)
      column.add(number)
      return undefined
    },
    finish: column.finish,
  }
}

function takeWords(name: string) {
  const column = createWordColumn(name)
  return {
    add: (cell: Cell): undefined => {
      column.add(cell === undefined ? '' : String(cell))
    },
    finish: column.finish,
  }
}

function withKind<Some extends Column>(column: Some, cells: readonly Cell[]): Some & { readonly kind: Kind } {
  const kind = column.kind ?? (cells.every((cell) => toNumber(cell) !== undefined) ? 'number' : 'word')
  return { ...column, kind }
}
