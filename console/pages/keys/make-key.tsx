import { useState } from 'preact/hooks'
import { call, Refusal } from '../../api/client.ts'
import type { Scope } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { Made } from './made-key.tsx'

const scopes: readonly (readonly [scope: Scope, says: string])[] = [
  ['read', 'queries, lists, predictions, objects'],
  ['write', 'events, records, objects'],
  ['ingest', 'posting events and nothing else, for a web page'],
  ['define', 'schemas, tables, graphs, notifications'],
  ['train', 'models'],
  ['admin', 'everything, keys among it'],
]

const day_s = 86_400
const lifetimes = [
  ['', 'never'],
  [String(day_s), 'in a day'],
  [String(7 * day_s), 'in a week'],
  [String(30 * day_s), 'in 30 days'],
  [String(365 * day_s), 'in a year'],
] as const

/** The places to which a key may be bound. */
async function placesThere(signal: AbortSignal): Promise<readonly string[]> {
  const [streams, databases, graphs, buckets] = await Promise.all([
    call('GET /stream/list', { signal }),
    call('GET /db', { signal }),
    call('GET /graph/list', { signal }),
    call('POST /brs/list/{flag}', { path: { flag: 0 }, signal }),
  ])
  return [
    ...streams.schemas.map(({ name }) => `schema:${name}`),
    ...databases.databases.map((name) => `db:${name}`),
    ...graphs.graphs.map((name) => `graph:${name}`),
    ...buckets.buckets.map((each) => `bucket:${typeof each === 'string' ? each : each.bucket_name}`),
  ]
}

export type MakeKeyProps = { readonly onClose: () => void; readonly onMade: (made: Made) => void }

export function MakeKey({ onClose, onMade }: MakeKeyProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read'])
  const [places, setPlaces] = useState('')
  const [lifetime, setLifetime] = useState('')
  const [refusal, setRefusal] = useState<Refusal>()
  const [isAsking, setAsking] = useState(false)
  const there = useAnswer(placesThere, [])
  const on = places.split(/[\s,]+/).filter((place) => place !== '')
  const missing = (there.value ?? []).filter((place) => !on.includes(place))

  async function make(): Promise<void> {
    setAsking(true)
    setRefusal(undefined)
    const body = {
      name,
      scopes: chosen,
      ...(on.length > 0 && { on }),
      ...(lifetime !== '' && { expires_s: Number(lifetime) }),
    }
    try {
      const { id, key, error } = await call('POST /keys', { body })
      onMade({ name, id, key, notes: error ?? [] })
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
    }
    setAsking(false)
  }

  return (
    <Dialog title="Make a key" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <TextField label="Name" value={name} onInput={setName} placeholder="dashboard" isRequired />
        <fieldset class="stack tight">
          <legend>It may do</legend>
          {scopes.map(([scope, says]) => (
            <CheckField
              key={scope}
              isOn={chosen.includes(scope)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
              label={
                <>
                  <strong>{scope}</strong> <span class="soft">{says}</span>
                </>
              }
            />
          ))}
        </fieldset>
        <TextField
          label="On"
          value={places}
          onInput={setPlaces}
          placeholder="schema:shop, graph:shop_graph"
          isMono
          hint="Places separated by commas: schema:, db:, graph: or bucket: and a name. Empty: everywhere."
        />
        {missing.length > 0 && (
          <SelectField
            label="Add a place"
            value=""
            options={[['', 'one that is there'], ...missing.map((place) => [place, place] as const)]}
            onInput={(place) => place !== '' && setPlaces([...on, place].join(', '))}
          />
        )}
        <SelectField label="It expires" value={lifetime} options={lifetimes} onInput={setLifetime} />
        <RefusalBox refusal={refusal} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button main" disabled={isAsking || name === '' || chosen.length === 0}>
            Make the key
          </button>
        </div>
      </form>
    </Dialog>
  )
}
