import type { ComponentChildren } from 'preact'
import { formatShort } from './format.ts'
import { ticksOf } from './ticks.ts'

export type Axis = {
  readonly title: string
  readonly from: number
  readonly to: number
  /** As numbers are written where it is absent. */
  readonly format?: (value: number) => string
}

type PlotProps = {
  readonly x: Axis
  readonly y: Axis
  readonly width?: number
  readonly height?: number
  /** The picture is read out as this. */
  readonly says: string
  readonly children: (place: Place) => ComponentChildren
}

/** Where a value stands in the picture. */
export type Place = { readonly x: (value: number) => number; readonly y: (value: number) => number }

const [top, right, bottom] = [12, 26, 42]

/** Two axes with round numbers, and what is drawn between them. */
export function Plot({ x, y, width = 380, height = 340, says, children }: PlotProps) {
  const yTicks = ticksOf(y.from, y.to)
  const xTicks = ticksOf(x.from, x.to)
  const yText = y.format ?? formatShort
  const xText = x.format ?? formatShort
  const left = 34 + Math.max(...yTicks.map((tick) => yText(tick).length)) * 6.8
  const span = (axis: Axis) => axis.to - axis.from || 1
  const place: Place = {
    x: (value) => left + ((value - x.from) / span(x)) * (width - left - right),
    y: (value) => height - bottom - ((value - y.from) / span(y)) * (height - top - bottom),
  }
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={says}>
      {yTicks.map((tick) => (
        <g key={tick}>
          <line class="picture-grid" x1={left} x2={width - right} y1={place.y(tick)} y2={place.y(tick)} />
          <text class="picture-tick" x={left - 7} y={place.y(tick)} text-anchor="end" dominant-baseline="central">
            {yText(tick)}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <g key={tick}>
          <line class="picture-grid" x1={place.x(tick)} x2={place.x(tick)} y1={top} y2={height - bottom} />
          <text class="picture-tick" x={place.x(tick)} y={height - bottom + 16} text-anchor="middle">
            {xText(tick)}
          </text>
        </g>
      ))}
      <text class="picture-axis" x={(left + width - right) / 2} y={height - 6} text-anchor="middle">
        {x.title}
      </text>
      <text
        class="picture-axis"
        transform={`translate(13 ${(top + height - bottom) / 2}) rotate(-90)`}
        text-anchor="middle"
      >
        {y.title}
      </text>
      {children(place)}
    </svg>
  )
}

const percent = (value: number): string => `${Math.round(value * 100)} %`

/** An axis from 0 to 100 %. */
export const shareAxis = (title: string): Axis => ({ title, from: 0, to: 1, format: percent })

/** A line through points, as the `d` of a path. */
export const lineThrough = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
