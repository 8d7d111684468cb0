import { formatCount } from '../../parts/format.ts'
import { numberText } from '../../parts/number-text.ts'
import { Table } from '../../parts/table.tsx'
import type { Column, ColumnType } from './columns.ts'

type ColumnTableProps = {
  readonly columns: readonly Column[]
  readonly target: number
  readonly types: ReadonlyMap<number, ColumnType>
  readonly left: ReadonlySet<number>
  readonly onType: (position: number, type: ColumnType) => void
  readonly onLeave: (position: number, isLeft: boolean) => void
  readonly onTarget: (position: number) => void
}

const typeNames = { number: 'numbers', date: 'dates', word: 'words' } as const satisfies Record<ColumnType, string>
const isType = (value: string): value is ColumnType => value in typeNames

/** The columns of a file as they were recognised, each of which the reader may correct. */
export function ColumnTable({ columns, target, types, left, onType, onLeave, onTarget }: ColumnTableProps) {
  return (
    <Table
      label="Columns of the file"
      heads={['Column', 'Holds', 'Values', { number: 'Missing' }, 'Use']}
      class="columns-table"
    >
      {columns.map((column) => {
        const { name, position, missing, filled } = column
        const isTarget = position === target
        const isLeft = left.has(position) && !isTarget
        const share = missing / Math.max(1, missing + filled)
        return (
          <tr key={position} class={isLeft ? 'left-out' : ''}>
            <th scope="row" class="mono">
              {name}
            </th>
            <td>
              <select
                class="input compact"
                aria-label={`What ${name} holds`}
                value={types.get(position) ?? column.type}
                onChange={({ currentTarget: { value } }) => isType(value) && onType(position, value)}
              >
                {Object.entries(typeNames).map(([type, text]) => (
                  <option key={type} value={type}>
                    {text}
                  </option>
                ))}
              </select>
            </td>
            <td class="small soft values-cell">{valuesText(column)}</td>
            <td class="number">
              {missing === 0 ? <span class="faint">none</span> : `${Math.max(1, Math.round(share * 100))} %`}
            </td>
            <td class="nowrap">
              {isTarget ? (
                <span class="badge accent">predicted</span>
              ) : (
                <span class="row">
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={!isLeft}
                      aria-label={`Learn from ${name}`}
                      onChange={(event) => onLeave(position, !event.currentTarget.checked)}
                    />
                    <span>learn</span>
                  </label>
                  <button type="button" class="button small quiet" onClick={() => onTarget(position)}>
                    predict it
                  </button>
                </span>
              )}
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

function valuesText({ type, values, distinct, min, max }: Column): string {
  if (distinct === 0) return 'empty'
  if (type === 'number' && min !== undefined && max !== undefined)
    return min === max ? numberText(min) : `${numberText(min)} to ${numberText(max)}`
  const shown = values.slice(0, 3).map(([value]) => value.slice(0, 24))
  return distinct > shown.length
    ? `${shown.join(', ')} and ${formatCount(distinct - shown.length)} more`
    : shown.join(', ')
}
