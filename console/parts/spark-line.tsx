import type { Sample } from '../state/samples.ts'

export type SparkLineProps = {
  readonly samples: readonly Sample[]
  /** Milliseconds that the whole width stands for. */
  readonly span_ms: number
  /** For screen readers, which get no picture. */
  readonly label: string
}

const [width, height] = [600, 72]

/** The course of a figure, up to now. */
export function SparkLine({ samples, span_ms, label }: SparkLineProps) {
  const end = samples.at(-1)?.at_ms ?? 0
  const top = Math.max(1, ...samples.map(({ value }) => value)) * 1.1
  const points = samples.map(({ at_ms, value }) => [
    width - ((end - at_ms) / span_ms) * width,
    height - (value / top) * (height - 4) - 1,
  ])
  const line = points.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const [first = 0] = points[0] ?? []
  return (
    <svg class="spark-line" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length > 1 && (
        <>
          <polygon points={`${first.toFixed(1)},${height} ${line} ${width},${height}`} />
          <polyline points={line} />
        </>
      )}
    </svg>
  )
}
