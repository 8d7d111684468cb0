import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { keyHeaders } from '../objects/bucket-keys.ts'
import { mapIn } from './map-lines.ts'
import { StreamField } from './stream-field.tsx'

const formats = ['CSV', 'JSON', 'NDJSON', 'Parquet'].map((each) => [each, each] as const)

const endings: Readonly<Record<string, string>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  jsonl: 'NDJSON',
  parquet: 'Parquet',
}

/** The format that the ending of a key says; packed files have one more ending. */
const formatOf = (key: string): string | undefined =>
  endings[/\.(\w+?)(?:\.(?:gz|zst))?$/.exec(key)?.[1]?.toLowerCase() ?? '']

/** Begins an import, and goes to its page. */
export function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const [bucket, setBucket] = useState('')
  const [key, setKey] = useState('')
  const [format, setFormat] = useState('CSV')
  const [into, setInto] = useState('')
  const [map, setMap] = useState('')
  const [time, setTime] = useState('')
  const starting = useAction()
  const { route } = useLocation()
  const isPrefix = key === '' || key.endsWith('/')
  const start = () =>
    starting.run(async () => {
      const mapped = mapIn(map)
      const body = {
        from: { bucket, ...(isPrefix ? { prefix: key } : { key }) },
        format,
        into,
        ...(mapped && { map: mapped }),
        ...(time !== '' && { time }),
      }
      const { id } = await call('POST /import', { body, headers: keyHeaders(bucket) })
      route(pathOf('doors', 'imports', id))
    })
  return (
    <Dialog title="Import files" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <TextField label="Bucket" value={bucket} onInput={setBucket} isRequired isMono placeholder="history" />
        <TextField
          label="Key"
          value={key}
          onInput={(typed) => {
            setKey(typed)
            setFormat(formatOf(typed) ?? format)
          }}
          isMono
          placeholder="2025/sales.csv"
          hint="of one object; where it is empty or ends in /, all objects whose keys begin so"
        />
        <SelectField label="Format" value={format} options={formats} onInput={setFormat} />
        <StreamField value={into} onInput={setInto} />
        <TextField
          label="Attributes from columns"
          value={map}
          onInput={setMap}
          lines={3}
          isMono
          placeholder={'price = Price\ncountry = customer.country'}
          hint="attribute = column or path, a line each. Empty: the columns are the attributes."
        />
        <TextField
          label="Column of the time"
          value={time}
          onInput={setTime}
          isMono
          placeholder="sold_at"
          hint="Empty: the time at which the row comes in."
        />
        <RefusalBox refusal={starting.refusal} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button main" disabled={starting.isRunning || bucket === '' || into === ''}>
            Begin
          </button>
        </div>
      </form>
    </Dialog>
  )
}
