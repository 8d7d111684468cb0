import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { StreamPlace } from './addresses.ts'
import { conditionOf, namingIn } from './erasure-statement.ts'
import type { WireStream } from './wire-schema.ts'

type EraseProps = StreamPlace & { readonly wire: WireStream; readonly onChanged: () => void }

/** Erases what a stream has of one person, behind a count of it. */
export function EraseButton(props: EraseProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Erase a person
      </button>
      {isAsking && <EraseDialog {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

type Found = { readonly condition: string; readonly count: number }
type Gone = { readonly count: number; readonly notes: readonly string[] }

function EraseDialog({ schema, stream, wire, onChanged, onClose }: EraseProps & { readonly onClose: () => void }) {
  const naming = namingIn(wire)
  const [name, setName] = useState(naming[0]?.name ?? '')
  const [value, setValue] = useState('')
  const [rebuilds, setRebuilds] = useState(true)
  const [found, setFound] = useState<Found>()
  const [gone, setGone] = useState<Gone>()
  const work = useAction()
  const canRebuild = wire.kind !== 'entity'
  const things = canRebuild ? 'events' : 'rows'
  const named = naming.find((each) => each.name === name)
  const condition = named && conditionOf(named, value)
  // A count is one of the person that it was asked for.
  const counted = condition !== undefined && found?.condition === condition ? found.count : undefined

  async function ask(sql: string, query: { readonly rebuild?: 1 } = {}) {
    const answer = await call('POST /db/{database}/query', { path: { database: schema }, query, body: { sql } })
    return typeof answer === 'string' || 'rows' in answer
      ? { count: 0, notes: [] }
      : { count: answer.retval, notes: answer.error ?? [] }
  }
  const count = (condition: string) =>
    work.run(async () => {
      const { count } = await ask(`select count(*) from ${schema}.${stream} where ${condition}`)
      setFound({ condition, count })
    })
  const erase = (condition: string) =>
    work.run(async () => {
      const query = canRebuild && rebuilds ? { rebuild: 1 as const } : {}
      setGone(await ask(`delete from ${schema}.${stream} where ${condition}`, query))
      onChanged()
    })

  return (
    <Dialog title="Erase a person" onClose={onClose}>
      {gone ? (
        <div class="stack" role="status">
          <p>
            {formatCount(gone.count)} {things} erased.
          </p>
          {gone.notes.map((note) => (
            <p key={note} class="soft">
              {note}
            </p>
          ))}
        </div>
      ) : (
        <div class="stack">
          <SelectField
            label="The person is named by"
            value={name}
            options={naming.map((each) => [each.name, each.name])}
            onInput={setName}
          />
          <TextField label="Whose value is" value={value} onInput={setValue} isMono />
          {named && value !== '' && condition === undefined && (
            <p role="status">
              {name} is {named.type === 'BOOL' ? 'true or false' : `a ${named.type}: a number alone`}.
            </p>
          )}
          {canRebuild && (
            <CheckField
              label="Make statistics, groups, entities and graphs anew without them"
              isOn={rebuilds}
              onChange={setRebuilds}
            />
          )}
          {counted !== undefined && (
            <p role="status">
              {formatCount(counted)} {things} of {schema}.{stream} match. They cannot be brought back.
            </p>
          )}
          <RefusalBox refusal={work.refusal} />
        </div>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {gone ? 'Done' : 'Cancel'}
        </button>
        {!gone &&
          (counted && condition !== undefined ? (
            <button type="button" class="button danger" disabled={work.isRunning} onClick={() => void erase(condition)}>
              Erase them
            </button>
          ) : (
            <button
              type="button"
              class="button main"
              disabled={work.isRunning || condition === undefined}
              onClick={() => condition !== undefined && void count(condition)}
            >
              Count them
            </button>
          ))}
      </div>
    </Dialog>
  )
}
