import { type Confusion, foldConfusion } from './fold-confusion.ts'
import { formatCount } from './format.ts'

type ConfusionMatrixProps = Confusion & {
  /** The picture is read out as this. */
  readonly says?: string
}

const maxLabels = 20
const maxCharacters = 16
const character = 6.6

const shortened = (label: string): string =>
  label.length > maxCharacters ? `${label.slice(0, maxCharacters - 1)}…` : label

/** Actual labels as rows, predicted ones as columns; the darker a cell, the greater its share of its row. */
export function ConfusionMatrix({ labels, rows, says }: ConfusionMatrixProps) {
  const folded = foldConfusion({ labels, rows }, maxLabels)
  const count = folded.labels.length
  const names = folded.labels.map(shortened)
  const longest = Math.max(4, ...names.map((name) => name.length)) * character
  const cell = count <= 3 ? 92 : count <= 6 ? 64 : count <= 10 ? 46 : 32
  const isSlanted = longest > cell - 6
  const left = longest + 34
  const top = isSlanted ? longest * 0.72 + 34 : 48
  const size = cell * count
  const right = isSlanted ? longest * 0.72 : 4
  const [width, height] = [left + size + right, top + size + 4]
  return (
    <svg
      class="drawing"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={says ?? describe(folded)}
    >
      <text class="picture-axis" x={left + size / 2} y={14} text-anchor="middle">
        predicted
      </text>
      <text class="picture-axis" transform={`translate(14 ${top + size / 2}) rotate(-90)`} text-anchor="middle">
        actual
      </text>
      {names.map((name, place) => {
        const middle = (place + 0.5) * cell
        return (
          <g key={`${place}:${name}`} class="picture-label">
            <title>{folded.labels[place]}</title>
            <text x={left - 8} y={top + middle} text-anchor="end" dominant-baseline="central">
              {name}
            </text>
            {isSlanted ? (
              <text transform={`translate(${left + middle} ${top - 8}) rotate(-45)`}>{name}</text>
            ) : (
              <text x={left + middle} y={top - 10} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        )
      })}
      {folded.rows.map((row, i) => {
        const total = row.reduce((sum, value) => sum + value, 0)
        return row.map((value, j) => {
          const share = total === 0 ? 0 : value / total
          const [x, y] = [left + j * cell, top + i * cell]
          const kind = i === j ? 'right' : 'wrong'
          return (
            <g key={`${i}:${j}`} class={`picture-cell ${kind} ${share > 0.72 ? 'strong' : ''}`}>
              <title>{`${folded.labels[i]} predicted as ${folded.labels[j]}: ${formatCount(value)} of ${formatCount(total)}`}</title>
              <rect class="back" x={x + 1} y={y + 1} width={cell - 2} height={cell - 2} rx={3} />
              <rect
                class="shade"
                x={x + 1}
                y={y + 1}
                width={cell - 2}
                height={cell - 2}
                rx={3}
                fill-opacity={Math.round(share * 1000) / 1000}
              />
              <text
                x={x + cell / 2}
                y={y + cell / 2 - (value > 0 && cell >= 64 ? 7 : 0)}
                class={`${cell < 40 ? 'tiny' : ''} ${value === 0 ? 'none' : ''}`}
              >
                {formatCount(value)}
              </text>
              {value > 0 && cell >= 64 && (
                <text class="tiny" x={x + cell / 2} y={y + cell / 2 + 11}>
                  {Math.round(share * 100)} %
                </text>
              )}
            </g>
          )
        })
      })}
    </svg>
  )
}

function describe({ labels, rows }: Confusion): string {
  const found = labels.map((label, place) => {
    const total = (rows[place] ?? []).reduce((sum, value) => sum + value, 0)
    return `${label}: ${rows[place]?.[place] ?? 0} of ${total} right`
  })
  return `Confusion matrix. ${found.join(', ')}`
}
