import type { DescribeSourceAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { formatAgo, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone, zoneName } from '../../state/time-zone.ts'
import { streamAddress } from './addresses.ts'
import { DeleteButton } from './delete-button.tsx'
import { linesOfMap } from './map-lines.ts'
import { SourceState } from './source-state.tsx'

/** A topic of somebody else's Kafka: how far it is, and the messages that were refused. */
export function SourcePage({ name }: { readonly name: string }) {
  const path = { source: name }
  const {
    value: source,
    refusal,
    again,
  } = useAnswer((signal) => call('GET /source/{source}', { path, signal }), [name], { every_ms: 2000 })
  const turning = useAction()
  const turn = (to: 'ON' | 'OFF') =>
    turning.run(async () => {
      await call('PUT /source/{source}/{switch}', { path: { ...path, switch: to } })
      again()
    })
  return (
    <>
      <Crumbs steps={[['Doors in', '/console/doors'], [name]]} />
      <PageHead title={name} says={source?.description}>
        {source && <SourceState state={source.state} />}
        {source && may('define') && (
          <>
            <button
              type="button"
              class="button"
              disabled={turning.isRunning}
              onClick={() => void turn(source.state === 'off' ? 'ON' : 'OFF')}
            >
              <Icon name={source.state === 'off' ? 'play' : 'pause'} />
              {source.state === 'off' ? 'Turn on' : 'Turn off'}
            </button>
            <DeleteButton
              name={name}
              says="Its messages come no more."
              remove={() => call('DELETE /source/{source}', { path })}
            />
          </>
        )}
      </PageHead>
      <div class="stack">
        <RefusalBox refusal={refusal ?? turning.refusal} />
        {!source && !refusal && (
          <div class="card">
            <Skeleton lines={6} />
          </div>
        )}
        {source && <Figures of={source} />}
        {source && <Partitions of={source} />}
        {source && source.errors.length > 0 && <RefusedMessages of={source} />}
      </div>
    </>
  )
}

type OfSource = { readonly of: DescribeSourceAnswer }

function Figures({ of }: OfSource) {
  const { kafka, format = 'JSON', into, map, time, reason, since, notes } = of
  const { brokers, topic } = kafka
  return (
    <section class="card" aria-label="Source">
      {(reason !== undefined || notes.length > 0) && (
        <div class="inside stack tight">
          {reason !== undefined && (
            <div class="notice bad">
              <Icon name="warning" />
              <p>
                {reason}
                {since !== undefined && <span class="soft"> (since {timeText(since, 1)})</span>}
              </p>
            </div>
          )}
          {notes.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
        </div>
      )}
      <dl class="inside facts">
        <dt>Topic</dt>
        <dd class="mono">
          {topic} ({format}) at {typeof brokers === 'string' ? brokers : brokers.join(', ')}
        </dd>
        <dt>Into</dt>
        <dd class="mono">
          <a href={streamAddress(into)}>{into}</a>
        </dd>
        <dt>Messages behind</dt>
        <dd>{formatCount(of.lag)}</dd>
        <dt>Events that came</dt>
        <dd>
          {formatCount(of.accepted)}
          {(of.repeated ?? 0) > 0 && ` (${formatCount(of.repeated ?? 0)} of them were there before)`}
        </dd>
        <dt>Messages refused</dt>
        <dd>{formatCount(of.rejected)}</dd>
        {of.skipped !== undefined && (
          <>
            <dt>Without an event</dt>
            <dd>{formatCount(of.skipped)}</dd>
          </>
        )}
        {of.lost !== undefined && (
          <>
            <dt>Deleted before they came</dt>
            <dd>{formatCount(of.lost)}</dd>
          </>
        )}
        {of.brought !== undefined && (
          <>
            <dt>Latest events</dt>
            <dd>
              {timeText(of.brought, 1)} {zoneName()}
            </dd>
          </>
        )}
        {map && (
          <>
            <dt>Attributes</dt>
            <dd>
              <pre>{linesOfMap(map)}</pre>
            </dd>
          </>
        )}
        {time !== undefined && (
          <>
            <dt>Time</dt>
            <dd class="mono">{time}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

const Partitions = ({ of: { partitions } }: OfSource) => (
  <section class="card" aria-label="How far it is">
    <Table
      label="Partitions"
      heads={[
        ...(['Partition', { number: 'Next offset' }, { number: 'End' }, { number: 'Behind' }] as const),
        inZone('Last message'),
      ]}
    >
      {partitions.map(({ partition, next, end, lag, message }) => (
        <tr key={partition}>
          <th scope="row">{partition}</th>
          <td class="number">{formatCount(next)}</td>
          <td class="number">{formatCount(end)}</td>
          <td class="number">{formatCount(lag)}</td>
          <td class="nowrap soft">
            {message === undefined ? '' : <span title={formatAgo(message)}>{timeText(message, 1)}</span>}
          </td>
        </tr>
      ))}
    </Table>
  </section>
)

const RefusedMessages = ({ of: { errors } }: OfSource) => (
  <section class="card" aria-label="Refused">
    <header>
      <h2>Messages that were refused</h2>
      <p class="small soft">The latest {errors.length}.</p>
    </header>
    <Table label="Messages that were refused" heads={[{ number: 'Partition' }, { number: 'Offset' }, 'Why']}>
      {errors.map(({ partition, offset, error }) => (
        <tr key={`${partition} ${offset}`}>
          <td class="number">{partition}</td>
          <td class="number">{formatCount(offset)}</td>
          <td>{error}</td>
        </tr>
      ))}
    </Table>
  </section>
)
