import { useMemo, useState } from 'preact/hooks'
import { printJson } from '../../api/json.ts'
import { zoneName } from '../../state/time-zone.ts'
import { CopyButton } from '../copy-button.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { Dialog } from '../dialog.tsx'
import { shownText } from '../shown-text.tsx'
import { cellText, columnTitle, fullCell, numberOf, plainText, timeOf } from './cells.ts'
import type { ResultColumn, Row, Rows } from './rows.ts'

export type ResultTableProps = {
  readonly label: string
  readonly result: Rows
  /** In the place of showing all of a row. */
  readonly onOpen?: (row: Row) => void
  readonly isOpen?: (row: Row) => boolean
}

/** Rows of an answer; each opens with all that it has. */
export function ResultTable({ label, result, onOpen, isOpen }: ResultTableProps) {
  const [open, setOpen] = useState<Row>()
  const columns = useMemo(() => result.columns.map(asColumn), [result.columns])
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={result.rows}
        onOpen={onOpen ?? setOpen}
        isOpen={isOpen ?? ((row) => row === open)}
        class="result-table"
      />
      {open && <RowDialog row={open} columns={result.columns} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const asColumn = (column: ResultColumn, at: number): Column<Row> => {
  const { kind, zone } = column
  const text = (row: Row) => cellText(row[at], kind, zone)
  return {
    name: `${at}`,
    get title() {
      return columnTitle(column)
    },
    text,
    full: (row) => fullCell(row[at]),
    cell: (row) =>
      row[at] === null ? (
        <span class="faint">NULL</span>
      ) : row[at] === '' ? (
        <span class="faint">(empty)</span>
      ) : (
        shownText(text(row).slice(0, 400))
      ),
    value: (row) => (kind === 'text' ? cellText(row[at], kind) : kind === 'time' ? timeOf(row[at]) : numberOf(row[at])),
    ...(kind === 'number' && { isNumber: true }),
  }
}

type RowDialogProps = { readonly row: Row; readonly columns: readonly ResultColumn[]; readonly onClose: () => void }

function RowDialog({ row, columns, onClose }: RowDialogProps) {
  const members = columns.flatMap((column, at) => (row[at] === undefined ? [] : [{ column, cell: row[at] }]))
  const text = printJson(Object.fromEntries(members.map(({ column, cell }) => [column.name, cell])), 2)
  return (
    <Dialog title="Row" isWide onClose={onClose}>
      <dl class="row-members">
        {members.map(({ column, cell }) => (
          <div key={column.name}>
            <dt>{column.name}</dt>
            <dd class="mono">
              {cell === null ? <span class="faint">NULL</span> : longText(cell)}
              {column.kind === 'time' && typeof cell !== 'string' && cell !== null && (
                <span class="soft">
                  {' '}
                  {cellText(cell, 'time')} {zoneName()}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <CopyButton text={text} label="Copy as JSON" />
      </div>
    </Dialog>
  )
}

const longText = (cell: unknown): string =>
  typeof cell === 'object' && cell !== null ? printJson(cell, 2) : plainText(cell)
