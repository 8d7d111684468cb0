import { useState } from 'preact/hooks'
import { parseJson, printJson } from '../../api/json.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { timeOf } from '../../parts/result/cells.ts'
import type { Row } from '../../parts/result/rows.ts'
import { timeText } from '../../parts/time-text.ts'
import { inZone } from '../../state/time-zone.ts'
import { askSql } from '../query/ask-sql.ts'
import type { StreamPlace } from './addresses.ts'

/** A line of the log that ClickHouse did not take. */
export type Rejected = { readonly at: string; readonly reason: string; readonly line: string }

const columns: readonly Column<Rejected>[] = [
  {
    name: 'at',
    get title() {
      return inZone('Time')
    },
    text: ({ at }) => timeText(timeOf(at) ?? Number.NaN, 1),
    value: ({ at }) => at,
    width: 208,
  },
  { name: 'reason', title: 'Reason', text: ({ reason }) => reason },
  { name: 'line', title: 'Line', text: ({ line }) => line },
]
const page = 200

/** Events that were acknowledged and that ClickHouse refused afterwards: they are kept until somebody erases them. */
export function RejectedLines({
  schema,
  stream,
  onOpen,
}: StreamPlace & { readonly onOpen: (rejected: Rejected) => void }) {
  const [max, setMost] = useState(page)
  const { value, refusal } = useAnswer(
    async (signal) => {
      const found: Row[] = []
      const table = `\`${schema}\`.\`${stream}__rejected\``
      const take = (rows: readonly Row[]): boolean => found.push(...rows) <= max
      await askSql(
        `SELECT toString(at) AS at, reason, line FROM ${table} ORDER BY ${table}.at DESC LIMIT ${max + 1}`,
        { columns: () => {}, rows: take },
        signal,
      )
      return found.map(
        ([at, reason, line]): Rejected => ({
          at: String(at),
          reason: String(reason),
          line: String(line),
        }),
      )
    },
    [schema, stream, max],
    { every_ms: 15_000 },
  )
  // A server of ClickHouse is asked at its own port.
  if (refusal) return refusal.status === 409 ? null : <RefusalBox refusal={refusal} />
  if (!value || value.length === 0) return null
  return (
    <section class="stack tight" aria-label="Refused after they were acknowledged">
      <h2>Refused after they were acknowledged</h2>
      <p class="small soft">
        ClickHouse did not take these lines of the log. They are kept in{' '}
        <code>
          {schema}.{stream}__rejected
        </code>{' '}
        until a <code>delete</code> erases them.
      </p>
      <DataTable
        label={`Rejected lines of ${schema}.${stream}, newest first`}
        columns={columns}
        rows={value.slice(0, max)}
        onOpen={onOpen}
      />
      {value.length > max && (
        <button type="button" class="button small" onClick={() => setMost(max + 5 * page)}>
          Show older ones
        </button>
      )}
    </section>
  )
}

/** The event of a line: Weir's own members left out, those that are not declared beside the others. */
export function eventIn(line: string): string {
  const parsed = asObject(line)
  if (parsed === undefined) return line
  const { _pk, _rest } = parsed
  const own = Object.entries(parsed).filter(([name]) => !name.startsWith('_'))
  const rest = typeof _rest === 'string' ? asObject(_rest) : undefined
  return printJson({ ...(_pk !== undefined && { _pk }), ...Object.fromEntries(own), ...rest })
}

function asObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
