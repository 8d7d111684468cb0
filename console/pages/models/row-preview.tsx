import { formatCount } from '../../parts/format.ts'
import { Scrolls } from '../../parts/scrolls.tsx'
import type { Column } from './columns.ts'

type RowPreviewProps = {
  readonly rows: readonly (readonly string[])[]
  readonly columns: readonly Column[]
  readonly target: number
}

const shownRows = 8
const shownColumns = 40
const shownCharacters = 60

/** The first rows of a file, as they were read. */
export function RowPreview({ rows, columns, target }: RowPreviewProps) {
  const ragged = rows.filter((row) => row.length !== columns.length).length
  const shown = columns.slice(0, shownColumns)
  return (
    <section class="card">
      <header>
        <h2>First rows</h2>
        {ragged > 0 && <span class="badge warn">{formatCount(ragged)} rows have another number of cells</span>}
      </header>
      <Scrolls label="The first rows of the file">
        <table class="table rows-table mono">
          <caption class="visually-hidden">The first rows of the file</caption>
          <thead>
            <tr>
              {shown.map(({ name, position, type }) => (
                <th
                  key={position}
                  scope="col"
                  class={`${type === 'number' ? 'number' : ''} ${position === target ? 'is-target' : ''}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map((row, place) => (
              <tr key={place}>
                {shown.map(({ position, type }) => {
                  const cell = row[position] ?? ''
                  return (
                    <td
                      key={position}
                      class={`${type === 'number' ? 'number' : ''} ${position === target ? 'is-target' : ''}`}
                    >
                      {cell.length > shownCharacters ? `${cell.slice(0, shownCharacters)}…` : cell}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )
}
