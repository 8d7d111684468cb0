import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatBytes, formatCount, formatDuration } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Pager } from '../../parts/pager.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { timeInZone, timesText } from './cron-words.ts'
import { definitionOf, type QuestionProps, type Schedule, textOf } from './definition.ts'
import { mayDefine } from './rights.ts'
import { save } from './save.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** When the answer of a question goes somewhere by itself, and how that went. */
export function ScheduleTab({ described, onChanged }: QuestionProps) {
  const { name, schedule = [], due_times: due = [] } = described
  const [edited, setEdited] = useState<number>()
  const [notes, setNotes] = useState<readonly string[]>([])
  const [turn, setTurn] = useState(0)
  const changing = useAction()
  const isEditor = mayDefine(name)

  const remove = (place: number) =>
    changing.run(async () => {
      const definition = definitionOf(described)
      await save(name, { ...definition, schedule: schedule.filter((_, at) => at !== place) })
      onChanged()
    })
  const runNow = (place: number) =>
    changing.run(async () => {
      const { msg } = await call('POST /saved/{saved}/run', { path: { saved: name }, body: { schedule: place } })
      setNotes([msg])
      setTurn(turn + 1)
    })
  const button = isEditor && (
    <button type="button" class="button main" onClick={() => setEdited(schedule.length)}>
      <Icon name="plus" />
      Add a schedule
    </button>
  )
  return (
    <>
      <section class="card" aria-label="Schedules">
        {schedule.length > 0 && (
          <header>
            <h2 class="grow">Schedules</h2>
            {button}
          </header>
        )}
        <RefusalBox refusal={changing.refusal} />
        {notes.map((note) => (
          <p key={note} class="note" role="status">
            {note}
          </p>
        ))}
        {schedule.length === 0 ? (
          <Empty title="This question has no schedule" icon="clock">
            <p>
              With one its answer is a mail on Mondays, a webhook each hour, or a file each day.{' '}
              <HelpLink to="saved#send-it-on-mondays">How schedules work</HelpLink>
            </p>
            {button}
          </Empty>
        ) : (
          <Table label="Schedules" heads={['When', 'Next times', 'Goes to', 'As', { hidden: 'Actions' }]}>
            {schedule.map((each, place) => (
              <tr key={place}>
                <th scope="row">
                  {timesText(each.cron)}
                  <div class="small faint">{each.tz ?? 'UTC'}</div>
                  {each.params && <div class="small faint">{valuesText(each.params)}</div>}
                </th>
                <td class="nowrap soft">
                  {(due[place] ?? []).map((at) => (
                    <div key={at}>{timeInZone(at, each.tz ?? 'UTC')}</div>
                  ))}
                </td>
                <td>
                  <Goal schedule={each} />
                </td>
                <td>{each.format ?? 'CSV'}</td>
                <td class="nowrap">
                  {isEditor && (
                    <div class="row">
                      <button
                        type="button"
                        class="button small"
                        disabled={changing.isRunning}
                        onClick={() => void runNow(place)}
                      >
                        <Icon name="play" />
                        Run now
                      </button>
                      <button type="button" class="button small" onClick={() => setEdited(place)}>
                        Edit
                      </button>
                      <button
                        type="button"
                        class="button small"
                        disabled={changing.isRunning}
                        onClick={() => void remove(place)}
                      >
                        Remove
                      </button>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <Runs key={turn} name={name} hasSchedule={schedule.length > 0} />
      {edited !== undefined && (
        <ScheduleForm
          name={name}
          definition={definitionOf(described)}
          place={edited}
          onClose={() => setEdited(undefined)}
          onDone={(said) => {
            setEdited(undefined)
            setNotes(said)
            onChanged()
          }}
        />
      )}
    </>
  )
}

const valuesText = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ')

/** The notification or the bucket to which the answer goes. */
const Goal = ({ schedule: { notf, into } }: { readonly schedule: Schedule }) =>
  into ? (
    <>
      <a href={pathOf('objects', into.bucket)}>{into.bucket}</a> <span class="mono small">{into.key}</span>
    </>
  ) : (
    <a href={`/console/notifications/${notf}`}>notification {notf}</a>
  )

const pageSize = 25

/** The runs that have been: when, how long, how many rows, and what failed. */
function Runs({ name, hasSchedule }: { readonly name: string; readonly hasSchedule: boolean }) {
  const [at] = useInAddress('runs')
  const change = useChangeAddress()
  const { value, refusal } = useAnswer(
    (signal) =>
      call('GET /saved/{saved}/runs', { path: { saved: name }, query: { limit: pageSize, cursor: at }, signal }),
    [name, at],
    { every_ms: 3000 },
  )
  const runs = value?.runs ?? []
  if (value && runs.length === 0 && !hasSchedule) return null
  return (
    <section class="card" aria-label="Runs">
      <header>
        <h2>Runs</h2>
      </header>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={4} />}
      {value && runs.length === 0 && (
        <Empty title="No run yet" icon="clock">
          <p>The first comes at the next time above, or by Run now.</p>
        </Empty>
      )}
      {runs.length > 0 && (
        <Table
          label="Runs"
          heads={[
            inZone('Of'),
            'Schedule',
            'State',
            { number: 'Took' },
            { number: 'Rows' },
            { number: 'Size' },
            { number: 'Version' },
            'Says',
          ]}
        >
          {runs.map((run) => (
            <tr key={`${run.due} ${run.began}`}>
              <td class="nowrap">
                {timeText(run.due, 1)} {run.asked && <span class="badge">asked for</span>}
              </td>
              <td>{timesText(run.schedule.cron)}</td>
              <td>
                <span class={run.state === 'done' ? 'badge good' : 'badge bad'}>{run.state}</span>
              </td>
              <td class="number">{formatDuration(run.took_ms / 1000)}</td>
              <td class="number">{run.rows === undefined ? '–' : formatCount(run.rows)}</td>
              <td class="number">{run.bytes === undefined ? '–' : formatBytes(run.bytes)}</td>
              <td class="number">{run.version}</td>
              <td class="small">
                {run.says}
                {run.key !== undefined && <span class="mono">{run.key}</span>}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {value && (
        <Pager
          things="runs"
          isFirst={at === ''}
          onFirst={() => change({ runs: undefined })}
          onNext={value.cursor === undefined ? undefined : () => change({ runs: value.cursor }, 'push')}
        />
      )}
    </section>
  )
}
