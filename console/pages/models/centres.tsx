import { useState } from 'preact/hooks'
import { Bars } from '../../parts/bars.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount, formatShort } from '../../parts/format.ts'
import { Legend } from '../../parts/legend.tsx'
import { Picture } from '../../parts/picture-card.tsx'
import { Plot } from '../../parts/plot.tsx'
import { Table } from '../../parts/table.tsx'
import type { Metrics } from './metrics.ts'

/** The mean of an attribute in a cluster, or its most frequent word with its share. */
function valueText(value: unknown): string {
  if (typeof value === 'number') return formatShort(Number(value.toPrecision(4)))
  if (typeof value !== 'object' || value === null) return '–'
  const [word, share] = Object.entries(value).reduce<readonly [string, number]>(
    (best, [name, part]) => (Number(part) > best[1] ? [name, Number(part)] : best),
    ['', 0],
  )
  return word === '' ? '–' : `${word} ${Math.round(share * 100)} %`
}

/** Clusters: how many rows each has, where its middle lies, and how two attributes tell them apart. */
export function Centres({ metrics: { sizes, centres } }: { readonly metrics: Metrics }) {
  const names = [...new Set(centres.flatMap((centre) => Object.keys(centre)))]
  const numbers = names.filter((name) => centres.every((centre) => typeof centre[name] === 'number'))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const count = Math.max(sizes.length, centres.length)
  const clusters = Array.from({ length: count }, (_, cluster) => cluster)
  const shareIn = (name: string, value: unknown): number => {
    const all = centres.map((centre) => Number(centre[name]))
    const [min, max] = [Math.min(...all), Math.max(...all)]
    return typeof value !== 'number' || max === min ? 0 : (value - min) / (max - min)
  }
  return (
    <>
      {numbers.length > 1 && <Map names={numbers} centres={centres} sizes={sizes} />}
      {total > 0 && (
        <Picture title="Sizes" says="How many of the rows held out are nearest to each centre.">
          <Bars
            label="Rows by cluster"
            bars={sizes.map((size, cluster) => ({
              name: `cluster ${cluster}`,
              share: size / Math.max(...sizes),
              says: `${formatCount(size)} · ${Math.round((size / total) * 100)} %`,
            }))}
          />
        </Picture>
      )}
      <section class="card picture-card wide">
        <header>
          <h2>Centres</h2>
          <p class="small soft">
            The mean of each attribute by cluster, or its most frequent word; the darker, the greater.
          </p>
        </header>
        <Table
          label="Centres of clusters"
          heads={[
            'Cluster',
            ...(total > 0 ? [{ number: 'Rows held out' }] : []),
            ...names.slice(0, 24).map((number) => ({ number })),
          ]}
        >
          {clusters.map((cluster) => (
            <tr key={cluster}>
              <th scope="row">{cluster}</th>
              {total > 0 && (
                <td class="number">
                  {formatCount(sizes[cluster] ?? 0)}{' '}
                  <span class="faint">{Math.round(((sizes[cluster] ?? 0) / total) * 100)} %</span>
                </td>
              )}
              {names.slice(0, 24).map((name) => {
                const value = centres[cluster]?.[name]
                return (
                  <td key={name} class="number heat" style={{ '--heat': `${Math.round(shareIn(name, value) * 34)}%` }}>
                    {valueText(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </Table>
      </section>
    </>
  )
}

type MapProps = {
  readonly names: readonly string[]
  readonly centres: Metrics['centres']
  readonly sizes: readonly number[]
}

function Map({ names, centres, sizes }: MapProps) {
  const [across, setAcross] = useState(names[0] ?? '')
  const [up, setUp] = useState(names[1] ?? '')
  const options = names.map((name) => [name, name] as const)
  const axisOf = (name: string) => {
    const values = centres.map((centre) => Number(centre[name]))
    const [from, to] = [Math.min(...values), Math.max(...values)]
    const room = (to - from || 1) * 0.15
    return { title: name, from: from - room, to: to + room }
  }
  const max = Math.max(1, ...sizes)
  const says = `Centres of clusters by ${across} and ${up}`
  return (
    <Picture title="Clusters" says="Where the centres lie by two attributes; a greater dot stands for more rows.">
      <Plot x={axisOf(across)} y={axisOf(up)} says={says}>
        {({ x, y }) =>
          centres.map((centre, cluster) => (
            <g key={cluster} class={`curve-${(cluster % 8) + 1}`}>
              <circle
                class="picture-dot"
                cx={x(Number(centre[across]))}
                cy={y(Number(centre[up]))}
                r={8 + 22 * Math.sqrt((sizes[cluster] ?? 0) / max)}
              >
                <title>{`cluster ${cluster}: ${across} ${valueText(centre[across])}, ${up} ${valueText(centre[up])}`}</title>
              </circle>
              <text
                class="picture-number"
                x={x(Number(centre[across]))}
                y={y(Number(centre[up]))}
                text-anchor="middle"
                dominant-baseline="central"
              >
                {cluster}
              </text>
            </g>
          ))
        }
      </Plot>
      <Legend labels={centres.map((_, cluster) => `cluster ${cluster}`)} />
      <div class="two-fields">
        <SelectField label="Across" value={across} options={options} onInput={setAcross} />
        <SelectField label="Up" value={up} options={options} onInput={setUp} />
      </div>
    </Picture>
  )
}
