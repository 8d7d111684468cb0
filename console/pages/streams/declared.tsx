import { useState } from 'preact/hooks'
import { call, Refusal } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { CheckField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Table } from '../../parts/table.tsx'
import { durationText } from '../../parts/time-text.ts'
import { editAddress, type StreamPlace } from './addresses.ts'
import { EraseButton } from './erase-button.tsx'
import { measuredIn, titleOf } from './statistic-query.ts'
import type { WireStream } from './wire-schema.ts'

type DeclaredProps = StreamPlace & {
  readonly wire: WireStream
  readonly isRebuilt: boolean
  readonly onChanged: () => void
}

/** The declarations of a stream, and the actions on all that it derives. */
export function Declared({ schema, stream, wire, isRebuilt, onChanged }: DeclaredProps) {
  const groups = measuredIn({ ...wire.wire, name: stream }).filter((each) => each.groups.length > 0)
  return (
    <div class="stack">
      <div class="card">
        <Table label="Attributes" heads={['Attribute', 'Type', 'Statistic', 'Interval', 'Rule']}>
          {wire.attributes.map(({ name, type, statistic, gran_s, says }) => (
            <tr key={name}>
              <th scope="row" class="mono">
                {name}
              </th>
              <td>{type || <span class="faint">as its source</span>}</td>
              <td>{statistic ?? <span class="faint">none</span>}</td>
              <td>{statistic && wire.kind !== 'entity' ? durationText(gran_s) : ''}</td>
              <td class="soft">{says}</td>
            </tr>
          ))}
        </Table>
      </div>
      {groups.length > 0 && (
        <section class="stack tight">
          <h2>Groups</h2>
          <ul class="declared-groups">
            {groups.map((group) => (
              <li key={titleOf(group)}>
                {titleOf(group)}, every {durationText(group.gran_s)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="soft small">
        {wire.kind === 'entity'
          ? 'Rows stay for ever.'
          : wire.swsz === 0
            ? 'Events are kept for ever.'
            : `Events are kept for ${durationText(wire.swsz)}; what was counted of them stays.`}
      </p>
      <div class="row wrap">
        {may('define') && (
          <a class="button" href={editAddress(schema)}>
            <Icon name="edit" />
            Edit schema
          </a>
        )}
        {may('define') && wire.kind !== 'entity' && (
          <Rebuild schema={schema} stream={stream} isRebuilt={isRebuilt} onChanged={onChanged} />
        )}
        {may('write') && may('define') && (
          <EraseButton schema={schema} stream={stream} wire={wire} onChanged={onChanged} />
        )}
      </div>
    </div>
  )
}

type RebuildProps = StreamPlace & { readonly isRebuilt: boolean; readonly onChanged: () => void }

function Rebuild({ schema, stream, isRebuilt, onChanged }: RebuildProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [isForced, setForced] = useState(false)

  async function begin(): Promise<void> {
    setRefusal(undefined)
    try {
      const query = isForced ? { force: 1 } : {}
      await call('POST /stream/{schema}/{stream}/rebuild', { path: { schema, stream }, query })
      setForced(false)
      onChanged()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    }
  }

  return (
    <>
      <button
        type="button"
        class="button"
        disabled={isRebuilt}
        title="Makes all that is derived of the stream anew; queries see the old until it is whole"
        onClick={() => void begin()}
      >
        <Icon name="again" />
        {isRebuilt ? 'Rebuild is running' : 'Rebuild what is derived'}
      </button>
      <RefusalBox refusal={refusal}>
        {refusal?.status === 409 && (
          <CheckField label="Rebuild all the same, and lose them" isOn={isForced} onChange={setForced} />
        )}
      </RefusalBox>
    </>
  )
}
