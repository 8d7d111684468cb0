import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { TableKey } from './record.ts'

type Settings = Awaited<ReturnType<typeof call<'GET /db/{database}/{table}/tableenv'>>>
type IndexesProps = TableKey & { readonly settings: Settings; readonly onChanged: () => void }

/** Indexes of paths into documents: a filter on such a path reads far less than the table. */
export function Indexes({ database, table, settings, onChanged }: IndexesProps) {
  const [name, setName] = useState('')
  const change = useAction()
  const path = { database, table }
  const add = async () => {
    const isDone = await change.run(async () => {
      await call('POST /db/{database}/{table}/index', { path, body: { index_name: name.trim() } })
    })
    if (!isDone) return
    setName('')
    onChanged()
  }
  const drop = async (index: string) => {
    const isDone = await change.run(async () => {
      await call('DELETE /db/{database}/{table}/index/{index}', { path: { ...path, index } })
    })
    if (isDone) onChanged()
  }
  const { indexes, rev_idx: words } = settings
  return (
    <section class="card">
      <header>
        <h2>Indexes</h2>
        <p class="small soft">A filter on such a path reads far less than the table.</p>
      </header>
      {indexes.length === 0 && words.length === 0 ? (
        <Empty title="No index" icon="search">
          <p>Add one for a path that queries filter by. It is built over the records that are there.</p>
        </Empty>
      ) : (
        <ul class="lines">
          {indexes.map(({ index_name }) => (
            <li key={index_name} class="row spread">
              <span class="mono">{index_name}</span>
              {may('define') && (
                <button
                  type="button"
                  class="button small quiet"
                  disabled={change.isRunning}
                  aria-label={`Drop the index of ${index_name}`}
                  onClick={() => void drop(index_name)}
                >
                  <Icon name="trash" />
                  Drop
                </button>
              )}
            </li>
          ))}
          {words.map((field) => (
            <li key={`words:${field}`} class="row spread">
              <span class="mono">{field}</span>
              <span class="badge">by words</span>
            </li>
          ))}
        </ul>
      )}
      {may('define') && (
        <form
          class="inside row field-row"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <div class="grow">
            <TextField
              label="Path into the documents"
              value={name}
              onInput={setName}
              placeholder="customer.city"
              isMono
              isRequired
            />
          </div>
          <button type="submit" class="button" disabled={change.isRunning || name.trim() === ''}>
            <Icon name="plus" />
            Add index
          </button>
        </form>
      )}
      <RefusalBox refusal={change.refusal} />
    </section>
  )
}
