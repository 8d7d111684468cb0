import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { printJson } from '../../api/json.ts'
import { may } from '../../api/session.ts'
import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { TableKey } from './record.ts'
import { readWritten, type TableRecord } from './record.ts'

type RecordDialogProps = TableKey & {
  readonly tableType: number
  /** Absent for a new one. */
  readonly record: TableRecord | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}

const json = { 'Content-Type': 'application/json' }

/** A record, shown as a whole; with the scope write it is edited or removed. */
export function RecordDialog({ database, table, tableType, record, onClose, onChanged }: RecordDialogProps) {
  const isDocument = tableType === 1
  const [key, setKey] = useState(record?.key ?? '')
  const [text, setText] = useState(record?.text ?? (isDocument ? '{\n  \n}' : ''))
  const [isSure, setSure] = useState(false)
  const change = useAction()
  const path = { database, table }
  const written = readWritten(text, isDocument)

  const done = (isDone: boolean) => {
    if (!isDone) return
    onChanged()
    onClose()
  }
  const save = async () => {
    if ('fault' in written) return
    const body = printJson({ ...(key !== '' && { _pk: key }), doc: written.value })
    const asked = { path, body, headers: json }
    done(
      await change.run(async () => {
        if (record) await call('PUT /db/{database}/{table}/doc', asked)
        else await call('POST /db/{database}/{table}/doc', asked)
      }),
    )
  }
  const remove = async () => {
    if (!isSure || record === undefined) return setSure(true)
    done(
      await change.run(async () => {
        await call('DELETE /db/{database}/{table}', { path, query: { key: record.key } })
      }),
    )
  }

  const title = record ? `Record ${record.key}` : 'New record'
  if (!may('write'))
    return (
      <Dialog title={title} onClose={onClose} isWide>
        <Code text={text} />
      </Dialog>
    )
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {!record && (
          <TextField
            label="Key"
            value={key}
            onInput={setKey}
            isMono
            hint="One is made by the clock where it is empty."
          />
        )}
        <TextField
          label={isDocument ? 'Document' : 'Value'}
          value={text}
          onInput={setText}
          lines={isDocument ? 14 : 4}
          isMono
          fault={'fault' in written && text.trim() !== '' && text !== '{\n  \n}' ? written.fault : undefined}
        />
        <RefusalBox refusal={change.refusal} />
        <div class="actions">
          {record && (
            <button type="button" class="button danger push" disabled={change.isRunning} onClick={() => void remove()}>
              {isSure ? 'Yes, remove it' : 'Remove'}
            </button>
          )}
          <button type="submit" class="button main" disabled={change.isRunning || 'fault' in written}>
            {record ? 'Save' : 'Add'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
