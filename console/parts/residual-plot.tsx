import { formatCount, formatShort } from './format.ts'
import { Plot } from './plot.tsx'

export type Residuals = {
  readonly from: number
  readonly to: number
  readonly rows: readonly number[]
  readonly below: number
  readonly above: number
}

/** How far off predictions are: rows by truth less prediction. Right of the line the prediction is too low. */
export function ResidualPlot({ from, to, rows, below, above }: Residuals) {
  const max = Math.max(1, ...rows)
  const width = (to - from) / rows.length || 1
  const [start, end] = to > from ? [from, to] : [from - 0.5, from + 0.5]
  const reach = { from: Math.min(0, start), to: Math.max(0, end) }
  const outside = below + above > 0 ? ` ${formatCount(below)} rows lie below, ${formatCount(above)} above.` : ''
  const says = `Residuals from ${formatShort(from)} to ${formatShort(to)}, most rows in one bin ${formatCount(max)}.${outside}`
  return (
    <Plot x={{ title: 'truth less prediction', ...reach }} y={{ title: 'rows', from: 0, to: max }} says={says}>
      {({ x, y }) => (
        <>
          {rows.map((count, place) => {
            const low = start + place * (to > from ? width : 1)
            const high = low + (to > from ? width : 1)
            return (
              <rect
                key={place}
                class="picture-bar"
                x={x(low) + 0.5}
                y={y(count)}
                width={Math.max(1, x(high) - x(low) - 1)}
                height={Math.max(0, y(0) - y(count))}
              >
                <title>{`${formatShort(low)} to ${formatShort(high)}: ${formatCount(count)} rows`}</title>
              </rect>
            )
          })}
          <line class="picture-zero" x1={x(0)} x2={x(0)} y1={y(max)} y2={y(0)} />
        </>
      )}
    </Plot>
  )
}
