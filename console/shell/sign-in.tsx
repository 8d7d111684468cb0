import { useState } from 'preact/hooks'
import { Refusal } from '../api/client.ts'
import { asksForKey } from '../api/session.ts'
import { signIn } from '../api/sign-in.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/fields.tsx'

/** Wherever the service asks for a key: what was shown stays behind it, and is asked for anew. */
export const SignIn = () => (asksForKey.value ? <SignInDialog /> : null)

function SignInDialog() {
  const [key, setKey] = useState('')
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)

  async function submit(): Promise<void> {
    setAsking(true)
    setFault(undefined)
    try {
      await signIn(key.trim())
    } catch (error) {
      setFault(error instanceof Refusal ? error.reasons.join(' ') : 'Weir does not answer; try again')
    }
    setAsking(false)
  }

  return (
    <Dialog title="Sign in">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label="Key"
          type="password"
          value={key}
          onInput={setKey}
          isRequired
          isMono
          autocomplete="current-password"
          fault={fault}
          hint="This service answers to keys alone. The browser keeps yours in a cookie that no script can read, until it is closed."
        />
        <div class="actions">
          <button type="submit" class="button main" disabled={isAsking || key.trim() === ''}>
            Sign in
          </button>
        </div>
      </form>
    </Dialog>
  )
}
