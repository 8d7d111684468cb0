import { call, Refusal } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatAgo } from '../../parts/format.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { timeText } from '../../parts/time-text.ts'
import { zoneName } from '../../state/time-zone.ts'

const again_ms = 5000

const names: Readonly<Record<string, string>> = {
  clickhouse: 'ClickHouse',
  log: 'Log of events',
  buckets: 'Objects',
  orchestration: 'Background work',
  schemas: 'Schemas',
  tables: 'Tables',
}

type Part = {
  readonly status: string
  readonly reason?: unknown
  readonly since?: number
  readonly last_error?: { readonly ts: number; readonly reason: string }
}

/** Each part of the service: whether it is well, else since when it is not, and its last error. */
export function Parts() {
  const { value, refusal } = useAnswer(readParts, [], { every_ms: again_ms })
  return (
    <section class="card" aria-labelledby="parts">
      <header>
        <h2 id="parts" class="grow">
          Parts
        </h2>
        {value && <span class={value.status === 'ready' ? 'badge good' : 'badge bad'}>{value.status}</span>}
      </header>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={4} />}
      {value && (
        <ul class="part-list">
          {Object.entries(value.parts ?? {}).map(([name, part]) => (
            <Line key={name} name={names[name] ?? name} part={part as Part} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ name, part }: { readonly name: string; readonly part: Part }) {
  const { status, since, last_error } = part
  return (
    <li>
      <span class={status === 'up' ? 'dot' : status === 'failing' ? 'dot warn' : 'dot bad'} />
      <div class="grow">
        <div class="row spread">
          <strong>{name}</strong>
          <span class="soft">
            {status === 'up' || since === undefined ? status : `${status} since ${timeText(since, 1)} ${zoneName()}`}
          </span>
        </div>
        {last_error && (
          <p class="small soft">
            Last error, {formatAgo(last_error.ts)}: {last_error.reason}
          </p>
        )}
      </div>
    </li>
  )
}

/** A service that is not ready answers 503 with the same body. */
async function readParts(signal: AbortSignal) {
  try {
    return await call('GET /health/ready', { signal })
  } catch (error) {
    if (error instanceof Refusal && isReport(error.body)) return error.body
    throw error
  }
}

const isReport = (
  body: unknown,
): body is { readonly status: string; readonly parts?: Readonly<Record<string, Part>> } =>
  typeof body === 'object' && body !== null && 'status' in body && 'parts' in body
