import { lineThrough, Plot, shareAxis } from './plot.tsx'

export type RocCurve = {
  readonly label: string | number
  readonly auc: number
  readonly threshold: readonly number[]
  readonly true_positive: readonly number[]
  readonly false_positive: readonly number[]
}

type RocPlotProps = {
  readonly curves: readonly RocCurve[]
  /** A point of the first curve that is shown: its place. */
  readonly chosen?: number
}

/** The farther a curve reaches to the upper left, the better its label is told from others; the dashed line is chance. */
export function RocPlot({ curves, chosen }: RocPlotProps) {
  const says = `ROC curve. ${curves.map(({ label, auc }) => `${label}: area ${auc.toFixed(3)}`).join(', ')}`
  return (
    <Plot x={shareAxis('others taken for the label')} y={shareAxis('rows of the label found')} says={says}>
      {({ x, y }) => (
        <>
          <path
            class="picture-chance"
            d={lineThrough([
              [x(0), y(0)],
              [x(1), y(1)],
            ])}
          />
          {curves.map(({ label, true_positive, false_positive }, place) => {
            const points = true_positive.map((found, at) => [x(false_positive[at] ?? 0), y(found)] as const)
            return (
              <g key={label} class={`curve-${(place % 8) + 1}`}>
                {curves.length === 1 && (
                  <path class="picture-area" d={`${lineThrough(points)}L${x(1)} ${y(0)}L${x(0)} ${y(0)}Z`} />
                )}
                <path class="picture-line" d={lineThrough(points)} />
              </g>
            )
          })}
          {chosen !== undefined && (
            <circle
              class="picture-mark curve-1"
              cx={x(curves[0]?.false_positive[chosen] ?? 0)}
              cy={y(curves[0]?.true_positive[chosen] ?? 0)}
              r={5}
            />
          )}
        </>
      )}
    </Plot>
  )
}
