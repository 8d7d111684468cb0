import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DescribeImportAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { zoneName } from '../../state/time-zone.ts'
import { streamAddress } from './addresses.ts'
import { filesText, ImportState } from './import-state.tsx'
import { linesOfMap } from './map-lines.ts'
import { mayImport } from './rights.ts'

/** An import: how far it is, and the rows that it refused. */
export function ImportPage({ id }: { readonly id: string }) {
  const [isUnderWay, setUnderWay] = useState(true)
  const { value, refusal, again } = useAnswer(
    async (signal) => {
      const found = await call('GET /import/{import}', { path: { import: id }, signal })
      setUnderWay(found.state === 'running')
      return found
    },
    [id],
    isUnderWay ? { every_ms: 700 } : {},
  )
  return (
    <>
      <Crumbs steps={[['Doors in', '/console/doors'], [id]]} />
      <PageHead title={id}>{value && mayImport() && <EndButton of={value} onChanged={again} />}</PageHead>
      <div class="stack">
        <RefusalBox refusal={refusal} />
        {!value && !refusal && (
          <div class="card">
            <Skeleton lines={6} />
          </div>
        )}
        {value && <Figures of={value} />}
        {value && value.errors.length > 0 && <RefusedRows of={value} />}
      </div>
    </>
  )
}

type OfImport = { readonly of: DescribeImportAnswer }

function Figures({ of }: OfImport) {
  const { state, reason, waiting, progress, accepted, repeated = 0, rejected, num_files, files_done, error = [] } = of
  return (
    <section class="card" aria-label="Import">
      <div class="inside stack" aria-live="polite">
        {state === 'running' ? (
          <Progress
            label={
              waiting === undefined
                ? `${formatCount(files_done)} of ${formatCount(num_files)} files are read`
                : `It waits: ${waiting}`
            }
            share={progress}
          />
        ) : (
          <p>
            <ImportState of={of} />
          </p>
        )}
        {reason !== undefined && (
          <div class="notice bad">
            <Icon name="warning" />
            <p>{reason}</p>
          </div>
        )}
        {error.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
      </div>
      <dl class="inside facts">
        <dt>Rows that came</dt>
        <dd>
          {formatCount(accepted)}
          {repeated > 0 && ` (${formatCount(repeated)} of them were there before)`}
        </dd>
        <dt>Rows refused</dt>
        <dd>{formatCount(rejected)}</dd>
        <dt>From</dt>
        <dd class="mono">
          {filesText(of.from)} ({of.format})
        </dd>
        <dt>Into</dt>
        <dd class="mono">
          <a href={streamAddress(of.into)}>{of.into}</a>
        </dd>
        {of.map && (
          <>
            <dt>Attributes</dt>
            <dd>
              <pre>{linesOfMap(of.map)}</pre>
            </dd>
          </>
        )}
        {of.time !== undefined && (
          <>
            <dt>Time</dt>
            <dd class="mono">{of.time}</dd>
          </>
        )}
        <dt>Begun</dt>
        <dd>
          {timeText(of.begun, 1)} {zoneName()} by {of.by}
          {of.ended !== undefined && `, took ${formatDuration(Math.max(0, of.ended - of.begun) / 1e6)}`}
        </dd>
      </dl>
    </section>
  )
}

const RefusedRows = ({ of: { errors, rejected } }: OfImport) => (
  <section class="card" aria-label="Refused">
    <header>
      <h2>Rows that were refused</h2>
      {rejected > errors.length && (
        <p class="small soft">
          The first {errors.length} of {formatCount(rejected)}.
        </p>
      )}
    </header>
    <Table label="Rows that were refused" heads={['File', { number: 'Row' }, 'Why']}>
      {errors.map(({ key, row, error }) => (
        <tr key={`${key} ${row}`}>
          <td class="mono">{key}</td>
          <td class="number">{formatCount(row)}</td>
          <td>{error}</td>
        </tr>
      ))}
    </Table>
  </section>
)

/** Ends an import that is under way, or forgets one that has ended; the rows that came stay either way. */
function EndButton({ of: { id, state }, onChanged }: OfImport & { readonly onChanged: () => void }) {
  const ending = useAction()
  const { route } = useLocation()
  const end = () =>
    ending.run(async () => {
      await call('DELETE /import/{import}', { path: { import: id } })
      if (state === 'running') onChanged()
      else route('/console/doors')
    })
  return (
    <>
      <button type="button" class="button" disabled={ending.isRunning} onClick={() => void end()}>
        <Icon name={state === 'running' ? 'close' : 'trash'} />
        {state === 'running' ? 'End it' : 'Forget it'}
      </button>
      <RefusalBox refusal={ending.refusal} />
    </>
  )
}
