import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { Code } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { linesOf, type Template } from './template.ts'

type TemplateDialogProps = {
  /** Absent for a new one. */
  readonly template: Template | undefined
  /** The templates, by number, with their names. */
  readonly taken?: ReadonlyMap<number, string>
  readonly onClose: () => void
  readonly onDone: () => void
}

const noneTaken: ReadonlyMap<number, string> = new Map()

/** Registers a template, or replaces it; a new secret is shown once. */
export function TemplateDialog({ template, taken = noneTaken, onClose, onDone }: TemplateDialogProps) {
  const [id, setId] = useState(String(template?.notifid ?? Math.max(0, ...taken.keys()) + 1))
  const [isReplaced, setReplaced] = useState(false)
  const other = template ? undefined : taken.get(Number(id))
  const [name, setName] = useState(template?.name ?? '')
  const [endpoints, setEndpoints] = useState(template?.endpoints.join('\n') ?? '')
  const [mailto, setMailto] = useState(template?.mailto.join('\n') ?? '')
  const [subject, setSubject] = useState(template?.subject ?? '')
  const [msg, setMsg] = useState(template?.msg ?? '')
  const [freq, setFreq] = useState(String(template?.freq ?? 60))
  const [pri, setPri] = useState(String(template?.pri ?? 1))
  const [made, setMade] = useState<{ readonly secret: string | undefined; readonly notes: readonly string[] }>()
  const saving = useAction()

  const save = () =>
    saving.run(async () => {
      const { rule = '', tags = [], mailfrom = '' } = template ?? {}
      const answer = await call('POST /db/notification/register', {
        body: {
          notifid: Number(id),
          ...{ name, rule, subject, msg, tags, mailfrom },
          freq: Number(freq),
          pri: Number(pri),
          endpoints: linesOf(endpoints),
          mailto: linesOf(mailto),
        },
      })
      const notes = answer.error ?? []
      onDone()
      if (answer.secret === undefined && notes.length === 0) onClose()
      else setMade({ secret: answer.secret, notes })
    })

  if (made)
    return (
      <Dialog title={`Notification ${id} is registered`} onClose={onClose}>
        <div class="stack">
          {made.secret !== undefined && (
            <>
              <p>
                Each webhook is signed with this secret. It is shown this once: give it to the receiver, who checks{' '}
                <code>webhook-signature</code> by it.
              </p>
              <Code text={made.secret} />
            </>
          )}
          {made.notes.map((note) => (
            <div key={note} class="notice warn">
              <p>{note}</p>
            </div>
          ))}
          <p class="soft">
            A filter with <code>"notf": {id}</code> in a stream's schema makes the matches.
          </p>
        </div>
        <div class="actions">
          <button type="button" class="button main" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={template ? `Edit notification ${id}` : 'New notification'} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="settings-fields">
          {!template && (
            <TextField
              label="Number"
              type="number"
              value={id}
              onInput={(value) => {
                setId(value)
                setReplaced(false)
              }}
              isRequired
              fault={other === undefined ? undefined : 'it is taken: this would replace it'}
            />
          )}
          <TextField label="Name" value={name} onInput={setName} />
        </div>
        <TextField
          label="Webhooks"
          value={endpoints}
          onInput={setEndpoints}
          lines={3}
          isMono
          placeholder="https://ops.example.org/hook"
          hint="A URL a line."
        />
        <TextField
          label="Mail to"
          value={mailto}
          onInput={setMailto}
          lines={2}
          placeholder="ops@example.org"
          hint="An address a line. Mail goes out where SMTP_URL is set."
        />
        <TextField label="Subject of mails" value={subject} onInput={setSubject} />
        <TextField label="Text of mails" value={msg} onInput={setMsg} lines={2} />
        <div class="settings-fields">
          <TextField
            label="Seconds between two sends"
            type="number"
            value={freq}
            onInput={setFreq}
            hint="Matches in between go out as one; 0: each by itself."
          />
          <TextField label="Priority" type="number" value={pri} onInput={setPri} hint="1 goes first." />
        </div>
        <RefusalBox refusal={saving.refusal} />
        {other !== undefined && (
          <CheckField
            label={`Replace notification ${id}${other === '' ? '' : `, ${other}`}: what it is now is lost`}
            isOn={isReplaced}
            onChange={setReplaced}
          />
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={other === undefined ? 'button main' : 'button danger'}
            disabled={saving.isRunning || id === '' || (other !== undefined && !isReplaced)}
          >
            {template ? 'Save' : other === undefined ? 'Register' : `Replace notification ${id}`}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
