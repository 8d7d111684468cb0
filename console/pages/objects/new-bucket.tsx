import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { rememberKeys } from './bucket-keys.ts'

export function NewBucket({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [isLocked, setLocked] = useState(false)
  const [accessKey, setAccessKey] = useState('')
  const [secretKey, setSecretKey] = useState('')
  const creation = useAction()
  const { route } = useLocation()
  const create = () =>
    creation.run(async () => {
      const body = { bucket_name: name, ...(isLocked && { access_key: accessKey, secret_key: secretKey }) }
      await call('POST /brs/bucket', { body })
      if (isLocked) rememberKeys(name, { accessKey, secretKey })
      route(pathOf('objects', name))
    })
  return (
    <Dialog title="New bucket" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <TextField label="Name" value={name} onInput={setName} isRequired />
        <CheckField label="It has keys of its own" isOn={isLocked} onChange={setLocked} />
        {isLocked && (
          <>
            <TextField label="Access key" value={accessKey} onInput={setAccessKey} isRequired />
            <TextField
              label="Secret key"
              type="password"
              value={secretKey}
              onInput={setSecretKey}
              isRequired
              autocomplete="new-password"
              hint="It is kept as a hash, and shown nowhere: note it down."
            />
          </>
        )}
        <RefusalBox refusal={creation.refusal} />
        <div class="actions">
          <button type="submit" class="button main" disabled={creation.isRunning || name === ''}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  )
}
