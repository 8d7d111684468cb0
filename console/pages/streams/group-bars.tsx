import { useMemo, useState } from 'preact/hooks'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { numberText } from '../../parts/number-text.ts'

type Bar = { readonly name: string; readonly value: number }

const shown = 20

const columns: readonly Column<Bar>[] = [
  { name: 'name', title: 'Group', text: ({ name }) => name, value: ({ name }) => name },
  {
    name: 'value',
    title: 'Value',
    text: ({ value }) => numberText(value),
    value: ({ value }) => value,
    isNumber: true,
  },
]

/** A bar a group, the greatest first; all of them as a table. */
export function GroupBars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const [isTable, setTable] = useState(false)
  const greatest = useMemo(() => Math.max(...bars.map(({ value }) => Math.abs(value)), 1e-9), [bars])
  return (
    <div class="stack tight">
      <div class="row spread">
        <span class="small soft">{bars.length === 1 ? 'One group' : `${bars.length} groups`}</span>
        <button type="button" class="chart-as small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'As a picture' : 'As a table'}
        </button>
      </div>
      {isTable ? (
        <DataTable label={label} columns={columns} rows={bars} />
      ) : (
        <ul class="group-bars" aria-label={label}>
          {bars.slice(0, shown).map(({ name, value }) => (
            <li key={name}>
              <span class="group-name" title={name}>
                {name}
              </span>
              <span class="group-bar" aria-hidden="true">
                <span
                  class={value < 0 ? 'is-negative' : undefined}
                  style={{ width: `${Math.max(0.4, (Math.abs(value) / greatest) * 100)}%` }}
                />
              </span>
              <span class="group-value">{numberText(value)}</span>
            </li>
          ))}
          {bars.length > shown && <li class="small soft">{bars.length - shown} more, in the table</li>}
        </ul>
      )}
    </div>
  )
}
