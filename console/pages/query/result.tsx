import { useState } from 'preact/hooks'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { ResultTable } from '../../parts/result/result-table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { clockText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { zoneName } from '../../state/time-zone.ts'
import { ChartView } from './chart-view.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { maxRows, type RunState, type Shown } from './use-run.ts'

const views = [
  ['table', 'Table'],
  ['chart', 'Chart'],
] as const

type ResultProps = {
  readonly shown: Shown
  readonly state: RunState['state']
  readonly onMore: (isAll: boolean) => void
}

/** The answer: as a table, as a chart, as a file. */
export function Result({ shown, state, onMore }: ResultProps) {
  const [view, setView] = useInAddress('view', 'table')
  const [isSaving, setSaving] = useState(false)
  const { rows, retval, text, notes, next, isCut, statement } = shown
  const isRunning = state === 'running'
  return (
    <section class="card result" aria-label="Answer">
      <header>
        <h2 class="grow">
          <span role="status">{summaryOf(shown)}</span>
          <span class="soft small">{` ${isRunning ? 'so far' : `in ${formatDuration(shown.took_ms / 1000)}`}`}</span>
          {(state === 'live' || state === 'lost') && (
            <span class={state === 'live' ? 'badge good' : 'badge warn'}>
              {state === 'live' ? `live, ${clockText(shown.at)} ${zoneName()}` : 'lost, trying again'}
            </span>
          )}
        </h2>
        {next !== undefined && state === 'idle' && rows.rows.length < maxRows && (
          <>
            <button type="button" class="button small" onClick={() => onMore(false)}>
              Next page
            </button>
            <button type="button" class="button small" onClick={() => onMore(true)}>
              All, up to {formatCount(maxRows)}
            </button>
          </>
        )}
        <button type="button" class="button small" onClick={() => setSaving(true)}>
          <Icon name="download" />
          Download
        </button>
      </header>
      {isCut && rows.rows.length >= maxRows && (
        <p class="note">The page holds {formatCount(maxRows)} rows, and there are more. A download has all of them.</p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {text !== undefined && <pre class="answer-text">{text.slice(0, 200_000)}</pre>}
      {retval !== undefined && (
        <p class="answer-number">
          <span>{formatCount(retval)}</span>
        </p>
      )}
      {text === undefined && retval === undefined && rows.rows.length > 0 && (
        <Tabs
          label="How the answer is shown"
          tabs={views}
          chosen={view === 'chart' ? 'chart' : 'table'}
          onChoose={(name) => setView(name)}
        >
          {view === 'chart' ? (
            <ChartView result={rows} isCut={isCut} />
          ) : (
            <ResultTable label="Rows of the answer" result={rows} />
          )}
        </Tabs>
      )}
      {isSaving && <DownloadDialog statement={statement} onClose={() => setSaving(false)} />}
    </section>
  )
}

function summaryOf({ rows, retval, text, isCut, statement }: Shown): string {
  if (text !== undefined) return 'Answered'
  if (retval !== undefined) return /^\s*select\b/i.test(statement.text) ? 'Count' : 'Done'
  const count = rows.rows.length
  if (count === 0) return 'No rows'
  return `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}${isCut ? ', and more' : ''}`
}
