import { formatShort } from './format.ts'
import { lineThrough, Plot } from './plot.tsx'

type TruthPlotProps = {
  /** Truth and prediction of rows. */
  readonly pairs: readonly (readonly number[])[]
  readonly target: string
}

/** Rows on the dashed line are predicted as they are. */
export function TruthPlot({ pairs, target }: TruthPlotProps) {
  const all = pairs.flat()
  const [from, to] = [Math.min(...all), Math.max(...all)]
  const says = `Truth and prediction of ${pairs.length} rows, from ${formatShort(from)} to ${formatShort(to)}`
  return (
    <Plot x={{ title: `true ${target}`, from, to }} y={{ title: `predicted ${target}`, from, to }} says={says}>
      {({ x, y }) => (
        <>
          <path
            class="picture-chance"
            d={lineThrough([
              [x(from), y(from)],
              [x(to), y(to)],
            ])}
          />
          {pairs.map(([truth = 0, predicted = 0], place) => (
            <circle key={place} class="picture-dot curve-1" cx={x(truth)} cy={y(predicted)} r={3.2}>
              <title>{`true ${formatShort(truth)}, predicted ${formatShort(predicted)}`}</title>
            </circle>
          ))}
        </>
      )}
    </Plot>
  )
}
