import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Scrolls } from '../../parts/scrolls.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { zoneName } from '../../state/time-zone.ts'
import { isFailed, isUnderWay, stateText } from './states.ts'

type Status = Awaited<ReturnType<typeof call<'GET /ml/{schema}/{model}/status'>>>

type TrainingPanelProps = {
  readonly schema: string
  readonly model: string
  readonly status: Status | undefined
  readonly onStopped: () => void
}

/** The latest training: how far it is, why it failed, its log, and its run in Temporal. */
export function TrainingPanel({ schema, model, status, onStopped }: TrainingPanelProps) {
  const path = { schema, model }
  const state = status?.train_req_state
  const isRunning = isUnderWay(state)
  const { value, refusal } = useAnswer(
    async (signal) => (status ? call('GET /ml/{schema}/{model}/request', { path, signal }) : undefined),
    [schema, model, status === undefined, state],
    isRunning ? { every_ms: 1500 } : {},
  )
  if (!status)
    return (
      <div class="card">
        <Empty title="The record of its training was removed" icon="models" />
      </div>
    )
  const { train_start_ts: begun, train_end_ts: ended = 0, train_log: log, tuned_algo_params: tuned } = value ?? {}
  return (
    <div class="stack">
      <RefusalBox refusal={refusal} />
      <section class="card">
        <header>
          <h2>Latest training</h2>
          {begun !== undefined && (
            <p class="small soft">
              begun {timeText(begun, 1)} {zoneName()}
              {ended > 0 && `, took ${formatDuration(Math.max(0, ended - begun) / 1e6)}`}
            </p>
          )}
        </header>
        <div class="inside stack">
          <div aria-live="polite">
            {isRunning ? (
              <Progress
                label={
                  status.waiting
                    ? `waiting for ${status.waiting.for}, place ${status.waiting.place} of those that wait`
                    : stateText(state)
                }
                share={status.progress}
              />
            ) : (
              <p>
                {isFailed(state) ? 'It failed: ' : ''}
                {stateText(state)} <span class="faint">(state {state})</span>
              </p>
            )}
          </div>
          {status.reason !== undefined && (
            <div class="notice bad">
              <Icon name="warning" />
              <p class="reason">{status.reason}</p>
            </div>
          )}
          {isFailed(state) && status.serving !== undefined && (
            <p class="soft">Version {status.serving} goes on answering.</p>
          )}
          <div class="row">
            {isRunning && may('train') && <Stop {...path} onStopped={onStopped} />}
            {may('train') && may('write') && !isRunning && (
              <a
                class="button"
                href={`/console/models/new?schema=${encodeURIComponent(schema)}&model=${encodeURIComponent(model)}`}
              >
                <Icon name="again" />
                Train anew from a CSV
              </a>
            )}
          </div>
        </div>
      </section>
      {status.workflow && (
        <section class="card">
          <header>
            <h2>In Temporal</h2>
          </header>
          <dl class="inside facts">
            <dt>Workflow</dt>
            <dd class="mono">
              {status.workflow.link === undefined ? (
                status.workflow.id
              ) : (
                <a href={status.workflow.link} target="_blank" rel="noreferrer">
                  {status.workflow.id}
                </a>
              )}
            </dd>
            <dt>Namespace</dt>
            <dd class="mono">{status.workflow.namespace}</dd>
            <dt>What it does</dt>
            <dd>{stateText(state)}</dd>
          </dl>
        </section>
      )}
      <section class="card">
        <header class="spread">
          <h2>Log</h2>
          {log && <CopyButton text={log.log.join('\n')} isQuiet />}
        </header>
        {log ? (
          <Scrolls label="Log">
            <pre class="inside log">{log.log.map(logLine).join('\n')}</pre>
          </Scrolls>
        ) : (
          !refusal && <Skeleton lines={6} />
        )}
      </section>
      {tuned && Object.keys(tuned).length > 0 && (
        <section class="card">
          <header>
            <h2>Parameters</h2>
            <p class="small soft">as the model was trained with them</p>
          </header>
          <dl class="inside facts">
            {Object.entries(tuned).flatMap(([name, each]) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name}=`} class="mono">
                {typeof each === 'string' ? each : JSON.stringify(each)}
              </dd>,
            ])}
          </dl>
        </section>
      )}
    </div>
  )
}

/** A line that begins with microseconds since 1970 begins with a time. */
const logLine = (line: string): string =>
  line.replace(/^(\d{16}) : /, (_, us: string) => `${timeText(Number(us), 1)}  `)

function Stop({ schema, model, onStopped }: Omit<TrainingPanelProps, 'status'>) {
  const stopping = useAction()
  const stop = async () => {
    await stopping.run(async () => {
      await call('DELETE /ml/{schema}/{model}/request', { path: { schema, model } })
    })
    onStopped()
  }
  return (
    <>
      <button type="button" class="button" disabled={stopping.isRunning} onClick={() => void stop()}>
        Stop it
      </button>
      <RefusalBox refusal={stopping.refusal} />
    </>
  )
}
