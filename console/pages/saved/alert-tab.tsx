import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { WatchStateAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatAgo, formatCount } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { durationText, timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { savedAddress } from './addresses.ts'
import { Backtest } from './backtest.tsx'
import { definitionOf, itemsOf, type QuestionProps, textOf, type Watch } from './definition.ts'
import { mayDefine } from './rights.ts'
import { save } from './save.ts'
import { Silences } from './silences.tsx'
import { StateBadge } from './state-badge.tsx'
import { StateTimeline } from './state-timeline.tsx'
import { tracksOf } from './timeline.ts'
import { WatchForm } from './watch-form.tsx'
import { subjectText, watchText } from './watch-words.ts'

/** The alert of a question: its form, how it stands, how it stood, its silences, and how it would have been. */
export function AlertTab({ described, onChanged }: QuestionProps) {
  const { name, watch, params } = described
  const { query } = useLocation()
  const change = useChangeAddress()
  const saving = useAction()
  const [notes, setNotes] = useState<readonly string[]>([])
  const open = Object.keys(params).filter((each) => params[each]?.default === undefined)
  const isEdited = query.do === 'edit' && mayDefine(name) && open.length === 0
  const close = () => change({ do: undefined, when: undefined, key: undefined, every: undefined })

  const put = (wanted: Watch | undefined) =>
    saving.run(async () => {
      const { watch: _, ...rest } = definitionOf(described)
      const { error = [] } = await save(name, { ...rest, ...(wanted && { watch: wanted }) })
      setNotes(error)
      close()
      onChanged()
    })

  if (isEdited)
    return (
      <WatchForm
        name={name}
        watch={
          watch ?? {
            ...(query.when !== undefined && { when: query.when }),
            ...(query.key !== undefined && { key: itemsOf(query.key) }),
            ...(Number(query.every) > 0 && { every: Number(query.every) }),
          }
        }
        refusal={saving.refusal}
        isRunning={saving.isRunning}
        onSave={(wanted) => void put(wanted)}
        onClose={close}
      />
    )
  if (!watch)
    return (
      <div class="card">
        <Empty title="This question is no alert" icon="notifications">
          <p>
            As an alert it is asked again and again, and somebody is told when its answer is not as it should be.{' '}
            <HelpLink to="saved#watch-it">How alerts work</HelpLink>
          </p>
          {open.length > 0 && (
            <p>
              It is asked with the defaults of all parameters, and {open.join(' and ')} may not be left out:{' '}
              <a href={savedAddress(name, 'edit')}>change that first</a>.
            </p>
          )}
          {mayDefine(name) && open.length === 0 && (
            <button type="button" class="button main" onClick={() => change({ do: 'edit' }, 'push')}>
              <Icon name="plus" />
              Make it an alert
            </button>
          )}
        </Empty>
        <RefusalBox refusal={saving.refusal} />
      </div>
    )
  return (
    <>
      <section class="card saved-inside stack tight" aria-label="Alert">
        <p>{watchText(watch)}</p>
        {notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
        {mayDefine(name) && (
          <div class="row">
            <button type="button" class="button" onClick={() => change({ do: 'edit' }, 'push')}>
              <Icon name="edit" />
              Edit the alert
            </button>
            <EndButton name={name} isRunning={saving.isRunning} onEnd={() => void put(undefined)} />
          </div>
        )}
        <RefusalBox refusal={saving.refusal} />
      </section>
      <States name={name} watch={watch} />
      <Backtest name={name} watch={watch} />
    </>
  )
}

type EndButtonProps = { readonly name: string; readonly isRunning: boolean; readonly onEnd: () => void }

function EndButton({ name, isRunning, onEnd }: EndButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Watch no more
      </button>
      {isAsking && (
        <Dialog title={`Watch ${name} no more?`} onClose={() => setAsking(false)}>
          <p>
            The question stays, and is asked by nobody for an alert. Receivers that know of an alert that fires are told
            that it has ended.
          </p>
          <div class="actions">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Keep the alert
            </button>
            <button type="button" class="button danger" disabled={isRunning} onClick={onEnd}>
              Watch it no more
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const spans = [
  ['3600', 'Last hour'],
  ['21600', 'Last 6 hours'],
  ['86400', 'Last 24 hours'],
  ['604800', 'Last 7 days'],
  ['2592000', 'Last 30 days'],
] as const

/** Changes that the table lists; the timeline has all that the service tells. */
const listed = 50

/** How each key stands and stood. */
function States({ name, watch }: { readonly name: string; readonly watch: Watch }) {
  const [span, setSpan] = useInAddress('span', '3600')
  const { value, refusal, again } = useAnswer(
    async (signal) => ({
      state: await call('GET /saved/{saved}/state', { path: { saved: name }, signal }),
      to: Date.now() * 1000,
    }),
    [name],
    { every_ms: 3000 },
  )
  if (!value)
    return (
      <section class="card" aria-label="States">
        <RefusalBox refusal={refusal} />
        {!refusal && <Skeleton lines={4} />}
      </section>
    )
  const { state, to } = value
  const { alerts, changes, at, skipped, problem, took_ms } = state
  const from = to - Number(span) * 1e6
  const tracks = tracksOf(changes, alerts, from, to)
  return (
    <>
      <section class="card" aria-label="States">
        <header>
          <h2 class="grow">
            States{' '}
            <span class="soft small" role="status">
              {at === undefined
                ? `not asked yet: the first time is a whole multiple of ${durationText(watch.every ?? 60)}`
                : `asked ${formatAgo(at)}, in ${formatCount(took_ms ?? 0)} ms`}
            </span>
          </h2>
          <div class="saved-span">
            <SelectField label="Time" value={span} options={spans} onInput={setSpan} />
          </div>
        </header>
        {problem && (
          <div class="notice bad" role="alert">
            <Icon name="warning" />
            <div class="stack tight grow">
              <strong>The question cannot be asked, since {timeText(problem.since, 1)}</strong>
              {problem.says.includes('\n') ? <pre>{problem.says}</pre> : <p>{problem.says}</p>}
            </div>
          </div>
        )}
        {skipped > 0 && (
          <p class="note">
            {skipped === 1 ? 'One time' : `${formatCount(skipped)} times`} passed without an evaluation: the question
            takes longer than {durationText(watch.every ?? 60)}, or the service was stopped.
          </p>
        )}
        {tracks.length === 0 ? (
          <Empty title={at === undefined ? 'Nothing is known yet' : 'All is quiet'} icon="check">
            <p>Alerts that are pending, fire or have resolved within this time are drawn here.</p>
          </Empty>
        ) : (
          <StateTimeline tracks={tracks} from={from} to={to} />
        )}
        <Alerts alerts={alerts} />
        {changes.length > 0 && (
          <details class="saved-details">
            <summary>Changes of states</summary>
            <Table label="Changes of states" heads={[inZone('At'), 'Alert', 'State', { number: 'Value' }]}>
              {changes.slice(0, listed).map((each, place) => (
                <tr key={place}>
                  <td class="nowrap soft">{timeText(each.at, 1)}</td>
                  <td>{subjectText(each)}</td>
                  <td>
                    <StateBadge state={each.state} />
                  </td>
                  <td class="number">{textOf(each.value)}</td>
                </tr>
              ))}
            </Table>
            {changes.length > listed && (
              <p class="small soft inside">
                The latest {listed} of {formatCount(changes.length)}.
              </p>
            )}
          </details>
        )}
      </section>
      <Silences name={name} watch={watch} silences={state.silences} alerts={alerts} onChanged={again} />
    </>
  )
}

const shownAlerts = 100

/** The alerts that are not quiet. */
function Alerts({ alerts }: { readonly alerts: WatchStateAnswer['alerts'] }) {
  if (alerts.length === 0) return null
  const order = { firing: 0, pending: 1, resolved: 2 }
  const sorted = alerts.toSorted((a, b) => order[a.state] - order[b.state] || b.since - a.since)
  return (
    <>
      <Table label="Alerts" heads={['Alert', 'State', inZone('Holds since'), { number: 'Value' }, inZone('Sent')]}>
        {sorted.slice(0, shownAlerts).map((alert) => (
          <tr key={`${alert.about} ${subjectText(alert)}`}>
            <th scope="row">{subjectText(alert)}</th>
            <td>
              <StateBadge state={alert.state} />
            </td>
            <td class="nowrap soft">{timeText(alert.since, 1)}</td>
            <td class="number">{textOf(alert.value)}</td>
            <td class="nowrap soft">{alert.sent === undefined ? 'not sent' : timeText(alert.sent, 1)}</td>
          </tr>
        ))}
      </Table>
      {alerts.length > shownAlerts && (
        <p class="small soft inside">
          {shownAlerts} of {formatCount(alerts.length)}, those that fire first.
        </p>
      )}
    </>
  )
}
