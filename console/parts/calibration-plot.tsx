import { formatCount } from './format.ts'
import { lineThrough, Plot, shareAxis } from './plot.tsx'

export type CalibrationCurve = {
  readonly label: string | number
  readonly bins: readonly { readonly rows: number; readonly predicted: number; readonly observed: number }[]
}

/** On the dashed line, rows with a probability of 30 % have the label in 30 of 100 cases. A greater dot stands for more rows. */
export function CalibrationPlot({ curves }: { readonly curves: readonly CalibrationCurve[] }) {
  const max = Math.max(1, ...curves.flatMap(({ bins }) => bins.map(({ rows }) => rows)))
  const says = curves
    .map(({ label, bins }) => {
      const points = bins.map(({ predicted, observed }) => `${pc(predicted)} came true in ${pc(observed)}`)
      return `${label}: ${points.join(', ')}`
    })
    .join('. ')
  return (
    <Plot
      x={shareAxis('probability that is said')}
      y={shareAxis('rows that have the label')}
      says={`Calibration. ${says}`}
    >
      {({ x, y }) => (
        <>
          <path
            class="picture-chance"
            d={lineThrough([
              [x(0), y(0)],
              [x(1), y(1)],
            ])}
          />
          {curves.map(({ label, bins }, place) => (
            <g key={label} class={`curve-${(place % 8) + 1}`}>
              <path class="picture-line" d={lineThrough(bins.map((bin) => [x(bin.predicted), y(bin.observed)]))} />
              {bins.map(({ rows, predicted, observed }) => (
                <circle
                  key={predicted}
                  class="picture-mark"
                  cx={x(predicted)}
                  cy={y(observed)}
                  r={(3 + 5 * Math.sqrt(rows / max)).toFixed(1)}
                >
                  <title>{`said ${pc(predicted)}, came true in ${pc(observed)} of ${formatCount(rows)} rows`}</title>
                </circle>
              ))}
            </g>
          ))}
        </>
      )}
    </Plot>
  )
}

const pc = (share: number): string => `${Math.round(share * 100)} %`
