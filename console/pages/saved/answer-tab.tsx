import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { AskQuestionAnswer } from '../../api/calls.ts'
import { addressOf, call, type Refusal } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { follow, refusalIn } from '../../api/live.ts'
import { Elapsed } from '../../parts/elapsed.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { ResultTable } from '../../parts/result/result-table.tsx'
import type { Rows } from '../../parts/result/rows.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { clockText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { zoneName } from '../../state/time-zone.ts'
import { ChartView } from '../query/chart-view.tsx'
import { answerRows } from './answer-rows.ts'
import { inAddress, placeholdersIn, type QuestionProps, type Values } from './definition.ts'
import { ValueFields } from './values-form.tsx'

const pageSize = 5000

type Shown = {
  readonly rows: Rows
  readonly objects: AskQuestionAnswer['rows']
  readonly next: string | undefined
  readonly notes: readonly string[]
  /** Absent where the answer came by itself. */
  readonly took_ms?: number
}

type Live = { readonly at?: Date; readonly isLost?: boolean; readonly refusal?: Refusal }

const views = [
  ['table', 'Table'],
  ['chart', 'Chart'],
] as const

const files = [
  ['CSV', 'csv'],
  ['JSONEachRow', 'ndjson'],
  ['Parquet', 'parquet'],
] as const

/** A member of the address that has a parameter's value. */
const memberOf = (name: string): string => `p.${name}`

/** Asks the question for values of its parameters, and shows the answer as a table and as a chart. */
export function AnswerTab({ described }: QuestionProps) {
  const { name, params, sql, version } = described
  const { query } = useLocation()
  const change = useChangeAddress()
  const [view, setView] = useInAddress('view', 'table')
  const types = Object.fromEntries(placeholdersIn(sql).map((each) => [each.name, each.type]))
  const inQuery = Object.fromEntries(Object.keys(params).map((each) => [each, query[memberOf(each)] ?? '']))
  const [values, setValues] = useState<Values>(inQuery)
  const [shown, setShown] = useState<Shown>()
  const [since_ms, setSince] = useState(0)
  const [isFollowed, setFollowed] = useState(false)
  const [live, setLive] = useState<Live>({})
  const asking = useAction()
  const asked = inAddress(params, types, values)
  const missing = Object.keys(params).filter((each) => params[each]?.default === undefined && !asked[each])
  const { refusal, isRunning } = asking

  async function ask(before?: Shown): Promise<void> {
    const began_ms = performance.now()
    setSince(began_ms)
    change(Object.fromEntries(Object.keys(params).map((each) => [memberOf(each), values[each]])))
    await asking.run(async () => {
      const page = { limit: pageSize, cursor: before?.next }
      const answer = await call('GET /saved/{saved}/rows', { path: { saved: name }, query: { ...asked, ...page } })
      if (typeof answer === 'string') return
      const objects = [...(before?.objects ?? []), ...answer.rows]
      const took_ms = performance.now() - began_ms
      setShown({ objects, rows: answerRows(objects), next: answer.cursor, notes: answer.error ?? [], took_ms })
    })
  }

  // The values that were asked last, not those that are being typed.
  const followed = inAddress(params, types, inQuery)
  useEffect(() => {
    if (!isFollowed) return
    const gone = new AbortController()
    const { signal } = gone
    const stopWith = (why: Refusal) => {
      gone.abort()
      setLive({ refusal: why })
      setFollowed(false)
    }
    void follow(
      'GET /saved/{saved}/live',
      { path: { saved: name }, query: followed, signal },
      {
        events(events) {
          const refused = events.find(({ event }) => event === 'error')
          const latest = events.findLast(({ event }) => event === 'answer')
          if (latest) {
            const { rows } = parseJson(latest.data) as Pick<AskQuestionAnswer, 'rows'> // as the call answers
            setShown({ objects: rows, rows: answerRows(rows), next: undefined, notes: [] })
            setLive({ at: new Date() })
          }
          if (refused) stopWith(refusalIn(refused.data))
        },
        state: (state) => setLive((before) => ({ ...before, isLost: state === 'lost' })),
        refused: stopWith,
      },
    )
    return () => gone.abort()
  }, [isFollowed, name, version, JSON.stringify(followed)])

  // The question was saved to be asked: it is, where no value is missing.
  useEffect(() => {
    if (missing.length === 0) void ask()
  }, [version])

  return (
    <>
      {Object.keys(params).length > 0 && (
        <form
          class="card saved-inside saved-ask"
          aria-label="Values of the parameters"
          onSubmit={(event) => {
            event.preventDefault()
            void ask()
          }}
        >
          <ValueFields params={params} types={types} values={values} onInput={setValues} />
          <button type="submit" class="button main" disabled={isRunning}>
            <Icon name="play" />
            Ask
          </button>
        </form>
      )}
      <RefusalBox refusal={refusal ?? live.refusal} />
      {isRunning && !shown && (
        <div class="card">
          <Skeleton lines={6} />
        </div>
      )}
      {!shown && !isRunning && !refusal && (
        <div class="card">
          <Empty title="Not asked yet" icon="query">
            <p>
              Give {missing.join(' and ')} a value, then <strong>Ask</strong>.
            </p>
          </Empty>
        </div>
      )}
      {shown && !refusal && (
        <section class="card result saved-answer" aria-label="Answer" aria-busy={isRunning}>
          <header>
            <h2 class="grow">
              <span role="status">
                {shown.objects.length === 0
                  ? 'No rows'
                  : `${formatCount(shown.objects.length)} ${shown.objects.length === 1 ? 'row' : 'rows'}${shown.next === undefined ? '' : ', and more'}`}
              </span>
              {shown.took_ms !== undefined && (
                <span class="soft small"> in {formatDuration(shown.took_ms / 1000)}</span>
              )}{' '}
              {isFollowed && (
                <span class={live.isLost ? 'badge warn' : 'badge good'}>
                  {live.isLost
                    ? 'lost, trying again'
                    : `live${live.at === undefined ? '' : `, ${clockText(live.at)} ${zoneName()}`}`}
                </span>
              )}{' '}
              {isRunning && <Elapsed since_ms={since_ms} />}
            </h2>
            <button
              type="button"
              class="button small"
              aria-pressed={isFollowed}
              onClick={() => {
                setLive({})
                setFollowed(!isFollowed)
              }}
            >
              <Icon name={isFollowed ? 'pause' : 'play'} />
              {isFollowed ? 'Follow no more' : 'Follow'}
            </button>
            {shown.next !== undefined && !isFollowed && (
              <button type="button" class="button small" disabled={isRunning} onClick={() => void ask(shown)}>
                Next page
              </button>
            )}
            <button type="button" class="button small" disabled={isRunning} onClick={() => void ask()}>
              <Icon name="again" />
              Ask again
            </button>
            {files.map(([format, end]) => (
              <a
                key={format}
                class="button small"
                href={addressOf('GET /saved/{saved}/rows', { path: { saved: name }, query: { ...asked, format } })}
                download={`${name}.${end}`}
              >
                <Icon name="download" />
                {format === 'JSONEachRow' ? 'JSON lines' : format}
              </a>
            ))}
          </header>
          {shown.notes.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
          {shown.objects.length > 0 && (
            <Tabs
              label="How the answer is shown"
              tabs={views}
              chosen={view === 'chart' ? 'chart' : 'table'}
              onChoose={(each) => setView(each)}
            >
              {view === 'chart' ? (
                <ChartView result={shown.rows} isCut={shown.next !== undefined} />
              ) : (
                <ResultTable label="Rows of the answer" result={shown.rows} />
              )}
            </Tabs>
          )}
        </section>
      )}
    </>
  )
}
