import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'

const kinds = [
  ['WIDE', 'documents: JSON of any form'],
  ['NORMAL', 'values: one text or document a key'],
  ['PRIMITIVE_LONG', 'whole numbers'],
] as const

const keys = [
  ['NORMAL_KEY', 'texts'],
  ['NORMAL_KEY_LONG', 'whole numbers'],
  ['COMPOSITE_KEY', 'texts of two parts, a:b'],
] as const

export function NewTable({ database: initial, onClose }: { readonly database: string; readonly onClose: () => void }) {
  const [database, setDatabase] = useState(initial)
  const [name, setName] = useState('')
  const [kind, setKind] = useState('WIDE')
  const [key, setKey] = useState('NORMAL_KEY')
  const [hasWords, setWords] = useState(false)
  const creation = useAction()
  const { route } = useLocation()
  const create = () =>
    creation.run(async () => {
      await call('POST /db/{database}/table', {
        path: { database },
        body: { table_name: name, table_type: kind, key_type: key, ...(hasWords && { allow_rev_idx: 1 }) },
      })
      route(pathOf('tables', database, name))
    })
  return (
    <Dialog title="New table" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <TextField label="Name" value={name} onInput={setName} isRequired />
        <TextField
          label="Database"
          value={database}
          onInput={setDatabase}
          isRequired
          hint="It comes into being with its first table."
        />
        <SelectField label="Records are" value={kind} options={kinds} onInput={setKind} />
        <SelectField label="Keys are" value={key} options={keys} onInput={setKey} />
        {!kind.startsWith('PRIMITIVE') && (
          <CheckField label="Find records by words of their texts" isOn={hasWords} onChange={setWords} />
        )}
        <RefusalBox refusal={creation.refusal} />
        <div class="actions">
          <button type="submit" class="button main" disabled={creation.isRunning || name === '' || database === ''}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  )
}
