// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be placed one by one
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the row that the keys act on
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { columnWidths } from './column-widths.ts'
import { shownText } from './shown-text.tsx'
import { nextSort, type Sort, type SortValue, sortedIndexes } from './sorted.ts'
import { useMoreAtRight } from './use-more-at-right.ts'
import { useVirtualRows } from './virtual-rows.ts'

export type Column<Row> = {
  readonly name: string
  readonly title: string
  /** The text of a cell, also where `cell` shows it in a form of its own. */
  readonly text: (row: Row) => string
  /** The rest of the text, which is shown over the cell. */
  readonly full?: (row: Row) => string | undefined
  readonly cell?: (row: Row) => ComponentChildren
  /** Rows can be sorted by a column that has it. */
  readonly value?: (row: Row) => SortValue
  readonly isNumber?: boolean
  /** In pixels; as its texts need where it is absent. */
  readonly width?: number
}

type DataTableProps<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Rows that have come in above the others, ever: the rows in view stay in view. */
  readonly numPrepended?: number
  /** By a click, or Enter on the row that the arrow keys have chosen. */
  readonly onOpen?: (row: Row) => void
  readonly isOpen?: (row: Row) => boolean
  readonly class?: string
}

const rowHeight = 30
const headHeight = 34

/** A table of any number of rows, of which only those in view are in the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, numPrepended = 0, onOpen, isOpen } = props
  const container = useRef<HTMLDivElement>(null)
  const id = useId()
  const [sort, setSort] = useState<Sort>()
  const [active, setActive] = useState<number>()

  const order = useMemo(() => {
    const by = columns.find(({ name }) => name === sort?.column)
    return sort && by?.value ? sortedIndexes(rows, by.value, sort.isDescending) : undefined
  }, [rows, columns, sort])
  const rowAt = (index: number): Row | undefined => rows[order ? (order[index] ?? -1) : index]

  const virtual = useVirtualRows({ container, count: rows.length, height: rowHeight, above: headHeight })
  const hasRows = rows.length > 0
  const widths = useMemo(() => columnWidths(columns, rows), [columns, hasRows])
  const template = widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')
  const total = widths.reduce((sum, width) => sum + width, 0)

  const { hasMore, look } = useMoreAtRight(container, [total])

  const before = useRef(numPrepended)
  useLayoutEffect(() => {
    const added = numPrepended - before.current
    before.current = numPrepended
    const element = container.current
    if (added <= 0 || !element || order) return
    if (element.scrollTop > 0) element.scrollTop += added * rowHeight
    setActive((index) => (index === undefined ? index : Math.min(rows.length - 1, index + added)))
  }, [numPrepended])

  const choose = (index: number) => {
    const chosen = Math.max(0, Math.min(rows.length - 1, index))
    setActive(chosen)
    virtual.scrollToIndex(chosen)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== container.current || rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey)
      return
    const page = Math.max(1, Math.floor((container.current?.clientHeight ?? 300) / rowHeight) - 2)
    const at = active ?? -1
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }
    const move = moves[event.key]
    const row = active === undefined ? undefined : rowAt(active)
    if (move !== undefined) choose(move)
    else if (event.key === 'Enter' && row !== undefined && onOpen) onOpen(row)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={container}
      class={`data-table ${onOpen ? 'can-open' : ''} ${hasMore ? 'has-more' : ''} ${props.class ?? ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={look}
      onBlur={() => setActive(undefined)}
    >
      <div role="rowgroup" class="data-table-head" style={{ minWidth: `${total}px` }}>
        <div role="row" aria-rowindex={1} class="data-table-row" style={{ gridTemplateColumns: template }}>
          {columns.map((column) => (
            <Title key={column.name} column={column} sort={sort} onSort={setSort} />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        class="data-table-body"
        style={{ height: `${rows.length * rowHeight}px`, minWidth: `${total}px` }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rowAt(index)
          if (row === undefined) return null
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys, of the row that the arrow keys chose
            <div
              key={index}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isOpen?.(row) ?? false}
              class={`data-table-row ${active === index ? 'is-active' : ''} ${index % 2 ? 'is-odd' : ''}`}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
              onClick={onOpen && (() => onOpen(row))}
            >
              {columns.map((column) => {
                const text = column.text(row)
                return (
                  <div
                    key={column.name}
                    role="gridcell"
                    class={column.isNumber ? 'is-number' : undefined}
                    title={column.full?.(row) ?? (text.length > 24 ? text.slice(0, 300) : undefined)}
                  >
                    {column.cell ? column.cell(row) : shownText(text.slice(0, 500))}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type TitleProps<Row> = {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}

function Title<Row>({ column, sort, onSort }: TitleProps<Row>) {
  const isSorted = sort?.column === column.name
  const direction = sort?.isDescending ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      class={column.isNumber ? 'is-number' : undefined}
      aria-sort={column.value ? (isSorted ? direction : 'none') : undefined}
    >
      {column.value ? (
        <button type="button" onClick={() => onSort(nextSort(sort, column.name))}>
          {column.title}
          <span aria-hidden="true" class="data-table-sort">
            {isSorted ? (sort.isDescending ? '↓' : '↑') : ''}
          </span>
        </button>
      ) : (
        column.title
      )}
    </div>
  )
}
