import { useMemo, useState } from 'preact/hooks'
import { type Column, DataTable } from './data-table.tsx'
import { fullNumber } from './number-text.ts'

export type NamedBar = { readonly name: string; readonly value: number; readonly says: string }

const shown = 20

const columns: readonly Column<NamedBar>[] = [
  { name: 'name', title: 'Group', text: ({ name }) => name, value: ({ name }) => name },
  {
    name: 'value',
    title: 'Value',
    text: ({ says }) => says,
    full: ({ value }) => fullNumber(value),
    value: ({ value }) => value,
    isNumber: true,
  },
]

type GroupBarsProps = { readonly label: string; readonly bars: readonly NamedBar[]; readonly things?: string }

/** A bar for each name, the greatest first; all of them as a table. */
export function GroupBars({ label, bars, things = 'groups' }: GroupBarsProps) {
  const [isTable, setTable] = useState(false)
  const ordered = useMemo(() => bars.toSorted((a, b) => b.value - a.value), [bars])
  const greatest = useMemo(() => bars.reduce((max, { value }) => Math.max(max, Math.abs(value)), 1e-300), [bars])
  return (
    <div class="stack tight">
      <div class="row spread">
        <span class="small soft">{bars.length === 1 ? 'One' : `${bars.length} ${things}`}</span>
        <button type="button" class="chart-as small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'As a picture' : 'As a table'}
        </button>
      </div>
      {isTable ? (
        <DataTable label={label} columns={columns} rows={ordered} />
      ) : (
        <ul class="group-bars" aria-label={label}>
          {ordered.slice(0, shown).map(({ name, value, says }, at) => (
            <li key={at}>
              <span class="group-name" title={name}>
                <bdi>{name}</bdi>
              </span>
              <span class="group-bar" aria-hidden="true">
                <span
                  class={value < 0 ? 'is-negative' : undefined}
                  style={{ width: `${value === 0 ? 0 : Math.max(0.4, (Math.abs(value) / greatest) * 100)}%` }}
                />
              </span>
              <span class="group-value" title={fullNumber(value)}>
                {says}
              </span>
            </li>
          ))}
          {ordered.length > shown && <li class="small soft">{ordered.length - shown} more, in the table</li>}
        </ul>
      )}
    </div>
  )
}
