import { useState } from 'preact/hooks'
import type { Calls } from '../../api/calls.ts'
import { call, Refusal } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { zoneName } from '../../state/time-zone.ts'
import { type Made, MadeKey } from './made-key.tsx'
import { MakeKey } from './make-key.tsx'

type Key = Calls['GET /keys']['keys'][number]

const again_ms = 5000

/** Keys: made, bound to scopes and places, revoked; when each was last used. */
export default function Keys() {
  const { value, refusal, again } = useAnswer((signal) => call('GET /keys', { signal }), [], { every_ms: again_ms })
  const [dialog, setDialog] = useInAddress('new')
  const [made, setMade] = useState<Made>()
  const [going, setGoing] = useState<Key>()
  const areOff = session.value?.keys === 'off'
  return (
    <>
      <PageHead
        title="Keys"
        {...(areOff && {
          says: 'Keys are off: every caller may do everything. Keys that are made now count once the service runs with API_KEYS=require.',
        })}
      >
        <button type="button" class="button main" onClick={() => setDialog('1', 'push')}>
          <Icon name="plus" />
          Make a key
        </button>
      </PageHead>
      <RefusalBox refusal={refusal} />
      <div class="card">
        {!value && !refusal && <Skeleton />}
        {value && value.keys.length === 0 && (
          <Empty title="There are no keys yet" icon="keys">
            <p>A key has scopes, such as read, and may be bound to schemas, databases, graphs and buckets.</p>
          </Empty>
        )}
        {value && value.keys.length > 0 && <KeyTable keys={value.keys} onRevoke={setGoing} />}
      </div>
      {dialog !== '' && !made && (
        <MakeKey
          onClose={() => setDialog('')}
          onMade={(key) => {
            setMade(key)
            again()
          }}
        />
      )}
      {made && (
        <MadeKey
          made={made}
          onClose={() => {
            setMade(undefined)
            setDialog('')
          }}
        />
      )}
      {going && (
        <Revoke
          record={going}
          onClose={() => {
            setGoing(undefined)
            again()
          }}
        />
      )}
    </>
  )
}

type KeyTableProps = { readonly keys: readonly Key[]; readonly onRevoke: (key: Key) => void }

const KeyTable = ({ keys, onRevoke }: KeyTableProps) => (
  <Table label="Keys" heads={['Name', 'Scopes', 'On', 'Last used', 'Made', 'Expires', { hidden: 'Revoke' }]}>
    {keys.map((key) => (
      <tr key={key.id}>
        <td>
          <strong>{key.name}</strong>
          <div class="small faint mono">{key.id}</div>
        </td>
        <td>
          <div class="row">
            {key.scopes.map((scope) => (
              <span key={scope} class={scope === 'admin' ? 'badge warn' : 'badge'}>
                {scope}
              </span>
            ))}
          </div>
        </td>
        <td class="mono">{key.on === null ? <span class="soft">everywhere</span> : key.on.join(', ')}</td>
        <td>{key.last_used === null ? <span class="soft">never</span> : <Time time_us={key.last_used} />}</td>
        <td>
          <Time time_us={key.created} />
        </td>
        <td>{key.expires === null ? <span class="soft">never</span> : <Time time_us={key.expires} />}</td>
        <td class="number">
          <button type="button" class="button small" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </button>
        </td>
      </tr>
    ))}
  </Table>
)

const Time = ({ time_us }: { readonly time_us: number }) => (
  <time dateTime={new Date(time_us / 1000).toISOString()} title={`${timeText(time_us, 1)} ${zoneName()}`}>
    {formatAgo(time_us)}
  </time>
)

function Revoke({ record, onClose }: { readonly record: Key; readonly onClose: () => void }) {
  const [refusal, setRefusal] = useState<Refusal>()
  async function revoke(): Promise<void> {
    try {
      await call('DELETE /keys/{id}', { path: { id: record.id } })
      onClose()
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
    }
  }
  return (
    <Dialog title={`Revoke ${record.name}?`} onClose={onClose}>
      <p>
        Requests with this key are refused within a second, in every process, and its live streams end. It does not come
        back.{record.id === session.value?.id && ' It is the key that you are signed in with.'}
      </p>
      <RefusalBox refusal={refusal} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button danger" onClick={() => void revoke()}>
          Revoke
        </button>
      </div>
    </Dialog>
  )
}
