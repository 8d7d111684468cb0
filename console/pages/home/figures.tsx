import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatAgo, formatBytes, formatCount, formatDuration, formatShort } from '../../parts/format.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { SparkLine } from '../../parts/spark-line.tsx'
import { Table } from '../../parts/table.tsx'
import { ratesOf, type Sample, withSample } from '../../state/samples.ts'

const again_ms = 2000
const span_ms = 5 * 60_000

/** Rate, lag, refused events, memory and disk of the process that answers. */
export function Figures() {
  const samples = useRef<readonly Sample[]>([])
  const { value, refusal } = useAnswer(
    async (signal) => {
      const figures = await call('GET /figures', { signal })
      samples.current = withSample(
        samples.current,
        { at_ms: figures.now / 1000, value: figures.events.accepted },
        span_ms,
      )
      return figures
    },
    [],
    { every_ms: again_ms },
  )
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!value) return <Skeleton lines={4} />
  const rates = ratesOf(samples.current)
  const rate = rates.at(-1)?.value
  const { busiest, events, log, memory, disk, started } = value
  return (
    <section class="stack tight" aria-label="Figures">
      <div class="card rate">
        <dl>
          <dt>Events a second</dt>
          <dd>{rate === undefined ? '…' : formatShort(Math.round(rate * 10) / 10)}</dd>
          <dd class="small">
            {formatCount(events.accepted)} since the start {formatAgo(started, value.now / 1000)}
            {busiest[0] && <>, {mostIn(busiest, 'live')}</>}
          </dd>
        </dl>
        <SparkLine
          samples={rates}
          span_ms={span_ms}
          label={`Events a second over the last ${formatDuration(span_ms / 1000)}`}
        />
      </div>
      <dl class="tiles">
        <Tile
          name="Behind"
          value={formatDuration(log.lag_ms / 1000)}
          says={`${formatBytes(log.waiting_bytes)} wait in the log`}
        />
        <Tile
          name="Refused"
          value={formatCount(events.refused)}
          says={
            events.rejected > 0
              ? `and ${formatCount(events.rejected)} that ClickHouse would not take`
              : (mostIn(value.refused, 'refused') ?? 'since the start')
          }
        />
        <Tile
          name="Memory"
          value={formatBytes(memory.used_bytes)}
          says={`of ${formatBytes(memory.total_bytes)}`}
          share={memory.used_bytes / memory.total_bytes}
        />
        <Tile
          name="Disk used"
          value={formatBytes(disk.total_bytes - disk.free_bytes)}
          says={`of ${formatBytes(disk.total_bytes)}, ${formatBytes(disk.free_bytes)} free`}
          share={1 - disk.free_bytes / disk.total_bytes}
        />
      </dl>
      {busiest.length > 1 && (
        <div class="card">
          <Table label="Busiest streams" heads={['Busiest streams', { number: 'Events since the start' }]}>
            {busiest.slice(0, maxBusiest).map(({ stream, events: count }) => (
              <tr key={stream}>
                <td>
                  <a href={streamTab(stream, 'live')}>{stream}</a>
                </td>
                <td class="number">{formatCount(count)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </section>
  )
}

const maxBusiest = 5

type TileProps = {
  readonly name: string
  readonly value: string
  readonly says: ComponentChildren
  readonly share?: number
}

const Tile = ({ name, value, says, share }: TileProps) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>{value}</dd>
    <dd class="small">{says}</dd>
    {share !== undefined && (
      <dd class="small">
        <progress class="progress" aria-label={`${name}: share in use`} value={share} max={1} />
      </dd>
    )}
  </div>
)

/** The first of the streams, linked to its tab. */
function mostIn([first]: readonly { readonly stream: string }[], tab: string): ComponentChildren {
  if (!first) return undefined
  return (
    <>
      most of them in <a href={streamTab(first.stream, tab)}>{first.stream}</a>
    </>
  )
}

function streamTab(name: string, tab: string): string {
  const [schema = '', ...stream] = name.split('.')
  return `/console/streams/${encodeURIComponent(schema)}/${encodeURIComponent(stream.join('.'))}?tab=${tab}`
}
