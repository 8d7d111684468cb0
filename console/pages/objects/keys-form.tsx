import { useState } from 'preact/hooks'
import { TextField } from '../../parts/fields.tsx'
import { rememberKeys } from './bucket-keys.ts'

/** For a bucket that asks for keys of its own. */
export function KeysForm({ bucket }: { readonly bucket: string }) {
  const [accessKey, setAccessKey] = useState('')
  const [secretKey, setSecretKey] = useState('')
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        rememberKeys(bucket, { accessKey, secretKey })
      }}
    >
      <header>
        <h2>Keys of the bucket</h2>
      </header>
      <div class="inside stack">
        <TextField label="Access key" value={accessKey} onInput={setAccessKey} isRequired />
        <TextField
          label="Secret key"
          type="password"
          value={secretKey}
          onInput={setSecretKey}
          isRequired
          hint="The page holds it until it is closed or loaded anew."
        />
        <div class="row end">
          <button type="submit" class="button main" disabled={accessKey === '' || secretKey === ''}>
            Open
          </button>
        </div>
      </div>
    </form>
  )
}
