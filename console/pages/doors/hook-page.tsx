import { useState } from 'preact/hooks'
import type { DescribeHookAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { inZone } from '../../state/time-zone.ts'
import { streamAddress } from './addresses.ts'
import { DeleteButton } from './delete-button.tsx'
import { HookForm } from './hook-form.tsx'
import { linesOfMap } from './map-lines.ts'
import { mayMakeHook } from './rights.ts'
import { schemeText } from './schemes.ts'

/** A hook, and what came to it last. */
export function HookPage({ name }: { readonly name: string }) {
  const [isEdited, setEdited] = useState(false)
  const [notes, setNotes] = useState<readonly string[]>([])
  const {
    value: hook,
    refusal,
    again,
  } = useAnswer((signal) => call('GET /hook/{hook}', { path: { hook: name }, query: { limit: 120 }, signal }), [name], {
    every_ms: 2000,
  })
  return (
    <>
      <Crumbs steps={[['Doors in', '/console/doors'], [name]]} />
      <PageHead title={name} says={hook?.description}>
        {hook && mayMakeHook() && (
          <button type="button" class="button" onClick={() => setEdited(true)}>
            <Icon name="edit" />
            Change
          </button>
        )}
        {hook && may('define') && (
          <DeleteButton
            name={name}
            says="Its sender is refused from then on."
            remove={() => call('DELETE /hook/{hook}', { path: { hook: name } })}
          />
        )}
      </PageHead>
      <div class="stack">
        <RefusalBox refusal={refusal} />
        {notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
        {!hook && !refusal && (
          <div class="card">
            <Skeleton lines={6} />
          </div>
        )}
        {hook && <Definition hook={hook} />}
        {hook && <Deliveries hook={hook} />}
      </div>
      {isEdited && hook && (
        <HookForm
          hook={hook}
          onClose={() => setEdited(false)}
          onSaved={(said) => {
            setNotes(said)
            setEdited(false)
            again()
          }}
        />
      )}
    </>
  )
}

type OfHook = { readonly hook: DescribeHookAnswer }

function Definition({ hook }: OfHook) {
  const { name, into, verify, map, time, num_secrets } = hook
  const address = `${location.origin}/hook/${name}`
  return (
    <section class="card" aria-label="Definition">
      <dl class="inside facts">
        <dt>The sender posts to</dt>
        <dd class="row">
          <span class="mono">{address}</span>
          <CopyButton text={address} isQuiet />
        </dd>
        <dt>Into</dt>
        <dd class="mono">
          <a href={streamAddress(into)}>{into}</a>
        </dd>
        <dt>Signed as by</dt>
        <dd>
          {schemeText(verify.scheme)}
          {num_secrets > 1 && `, with any of ${num_secrets} secrets`}
        </dd>
        <dt>Taken once by</dt>
        <dd>{onceBy(hook)}</dd>
        <dt>Time</dt>
        <dd>{time === undefined ? 'when a delivery comes' : <code>{time}</code>}</dd>
        <dt>Attributes</dt>
        <dd>{map === undefined ? 'the payload is the event' : <pre>{linesOfMap(map)}</pre>}</dd>
      </dl>
    </section>
  )
}

/** The ids that schemes of a name sign. */
const signedIds: Readonly<Record<string, string>> = { standard: 'webhook-id', stripe: 'id', slack: 'event_id' }

function onceBy({ id, verify: { scheme } }: DescribeHookAnswer) {
  if (typeof id === 'string') return <code>{id}</code>
  if (id !== undefined) return 'the bytes of the body'
  const signed = signedIds[scheme]
  return signed === undefined ? 'nothing: a delivery that comes twice counts twice' : <code>{signed}</code>
}

const tones: Readonly<Record<DescribeHookAnswer['deliveries'][number]['verdict'], string>> = {
  ...{ accepted: 'good', repeated: 'good', challenge: 'good' },
  ...{ refused: 'bad', failed: 'bad' },
  ...{ unsigned: 'bad', wrong_signature: 'bad', too_old: 'bad', too_far_ahead: 'bad' },
}

/** The latest deliveries, and what became of each. Their bodies are kept nowhere. */
function Deliveries({ hook: { into, deliveries, num_deliveries, since } }: OfHook) {
  return (
    <section class="card" aria-label="Latest deliveries">
      <header>
        <h2>Deliveries</h2>
        <p class="small soft">
          {formatCount(num_deliveries)} to this process since {timeText(since, 60)}; the latest are shown.
        </p>
      </header>
      {deliveries.length === 0 ? (
        <Empty title="Nothing came yet" icon="link">
          <p>Have the sender make a test delivery: it is here within two seconds, with its verdict.</p>
        </Empty>
      ) : (
        <Table label="Deliveries" heads={[inZone('At'), 'Verdict', { number: 'Size' }, { number: 'Events' }, 'Why']}>
          {deliveries.map(({ ts, verdict, bytes, accepted, repeated = 0, rejected = 0, error }, place) => (
            <tr key={`${ts} ${place}`}>
              <td class="nowrap soft">{timeText(ts, 0)}</td>
              <td>
                <span class={`badge ${tones[verdict]}`}>{verdict.replaceAll('_', ' ')}</span>
              </td>
              <td class="number soft">{bytes === undefined ? '' : formatBytes(bytes)}</td>
              <td class="number">
                {accepted === undefined ? '' : formatCount(accepted)}
                {repeated > 0 && <span class="small soft"> ({formatCount(repeated)} again)</span>}
                {rejected > 0 && <span class="small soft"> ({formatCount(rejected)} refused)</span>}
              </td>
              <td class="small">
                {error}
                {verdict === 'refused' && (
                  <>
                    {' '}
                    <a href={`${streamAddress(into)}?tab=refused`}>Refused events</a>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
