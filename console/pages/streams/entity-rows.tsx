import { useEffect, useMemo, useState } from 'preact/hooks'
import { Refusal } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { formatCount } from '../../parts/format.ts'
import { numberText } from '../../parts/number-text.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import type { StreamPlace } from './addresses.ts'
import { askRows, type Cursor } from './ask-rows.ts'
import { figuresIn, valueAt } from './entity-figures.ts'
import { EventDialog } from './event-dialog.tsx'
import { isObject } from './wire-schema.ts'

type EntityRow = { readonly key: string; readonly values: Readonly<Record<string, unknown>>; readonly text: string }

const page = 500

/** The rows of an entity stream, a page after the other. */
export function EntityRows({ schema, stream }: StreamPlace) {
  const [rows, setRows] = useState<readonly EntityRow[]>()
  const [cursor, setCursor] = useState<Cursor>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [opened, setOpened] = useState<EntityRow>()

  async function ask(from: Cursor | undefined, before: readonly EntityRow[], signal?: AbortSignal): Promise<void> {
    setRefusal(undefined)
    try {
      const answer = await askRows(`select * from ${schema}.${stream} limit ${page}`, from, signal)
      setRows([...before, ...answer.rows.map(({ k, v }) => rowOf(k, v))])
      setCursor(answer.next)
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    }
  }

  useEffect(() => {
    const gone = new AbortController()
    void ask(undefined, [], gone.signal)
    return () => gone.abort()
  }, [schema, stream])

  const columns = useMemo(() => columnsOf(rows ?? []), [rows])
  if (!rows) return refusal ? <RefusalBox refusal={refusal} /> : <Skeleton />
  return (
    <div class="stack">
      <RefusalBox refusal={refusal} />
      <DataTable label={`Rows of ${schema}.${stream}`} columns={columns} rows={rows} onOpen={setOpened} />
      <div class="row spread small soft">
        <span role="status">
          {formatCount(rows.length)} {cursor ? 'rows so far' : 'rows'}
        </span>
        {cursor && (
          <button type="button" class="button" onClick={() => void ask(cursor, rows)}>
            Show more
          </button>
        )}
      </div>
      {opened && <EventDialog event={opened.text} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

function rowOf(key: unknown, value: unknown): EntityRow {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  const values = isObject(parsed) ? parsed : {}
  return { key: String(key), values, text: JSON.stringify({ key: String(key), ...values }) }
}

function columnsOf(rows: readonly EntityRow[]): readonly Column<EntityRow>[] {
  const figures = figuresIn(rows.map(({ values }) => values)).map(({ path, title }): Column<EntityRow> => {
    const valueOf = ({ values }: EntityRow) => valueAt(values, path)
    return {
      name: path.join('.'),
      title,
      text: (row) => figureText(valueOf(row)),
      value(row) {
        const value = valueOf(row)
        return typeof value === 'number' || typeof value === 'string' ? value : undefined
      },
      isNumber: true,
    }
  })
  return [{ name: 'key', title: 'Key', text: ({ key }) => key, value: ({ key }) => key }, ...figures]
}

const figureText = (value: unknown): string =>
  typeof value === 'number'
    ? numberText(value)
    : value === undefined
      ? ''
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
