import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DescribeHookAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useAction } from '../../parts/use-action.ts'
import { draftOfHook, type HookDraft, hookOf } from './hook-draft.ts'
import { isScheme, schemes } from './schemes.ts'
import { StreamField } from './stream-field.tsx'

type HookFormProps = {
  /** The hook as it is; absent: a new one. */
  readonly hook?: DescribeHookAnswer
  readonly onClose: () => void
  readonly onSaved?: (notes: readonly string[]) => void
}

const ids = [
  ['', 'as the scheme has it'],
  ['path', 'a member of the payload'],
  ['body', 'the bytes of the body'],
] as const

/** Makes a hook, or changes it; a secret that is left empty stays as it is. */
export function HookForm({ hook, onClose, onSaved }: HookFormProps) {
  const [name, setName] = useState(hook?.name ?? '')
  const [draft, setDraft] = useState(() => draftOfHook(hook))
  const set = (changed: Partial<HookDraft>) => setDraft({ ...draft, ...changed })
  const saving = useAction()
  const { route } = useLocation()
  const save = () =>
    saving.run(async () => {
      const { error = [] } = await call('PUT /hook/{hook}', { path: { hook: name }, body: hookOf(draft) })
      if (onSaved) onSaved(error)
      else route(pathOf('doors', 'hooks', name))
    })
  return (
    <Dialog title={hook ? `Change ${name}` : 'New hook'} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {!hook && (
          <TextField
            label="Name"
            value={name}
            onInput={setName}
            isRequired
            hint={`The sender posts to ${location.origin}/hook/${name || '…'}`}
          />
        )}
        <StreamField value={draft.into} onInput={(into) => set({ into })} />
        <SelectField
          label="Signed as by"
          value={draft.scheme}
          options={schemes}
          onInput={(scheme) => isScheme(scheme) && set({ scheme })}
        />
        <TextField
          label="Secret"
          type="password"
          value={draft.secret}
          onInput={(secret) => set({ secret })}
          isRequired={!hook}
          autocomplete="new-password"
          hint={
            hook
              ? 'Empty: the hook keeps what it has. A new one takes its place at once.'
              : 'As the sender shows it, 16 characters or more. It is never shown again.'
          }
        />
        {draft.scheme === 'hmac' && <HmacFields draft={draft} set={set} />}
        <TextField
          label="Attributes from the payload"
          value={draft.map}
          onInput={(map) => set({ map })}
          lines={3}
          isMono
          placeholder={'number = issue.number\nkind = header:X-GitHub-Event'}
          hint="attribute = path, a line each. Empty: the payload is the event."
        />
        <SelectField
          label="A delivery is taken once by"
          value={draft.idBy}
          options={ids}
          onInput={(idBy) => set({ idBy: idBy === 'path' || idBy === 'body' ? idBy : '' })}
          hint={<HelpLink to="doors#once-each">Which id that is</HelpLink>}
        />
        {draft.idBy === 'path' && (
          <TextField
            label="Path of the id"
            value={draft.idPath}
            onInput={(idPath) => set({ idPath })}
            isRequired
            isMono
            placeholder="data.id"
          />
        )}
        <TextField
          label="Path of the time"
          value={draft.time}
          onInput={(time) => set({ time })}
          isMono
          placeholder="issue.created_at"
          hint="Empty: the time at which the delivery comes."
        />
        <TextField label="Description" value={draft.description} onInput={(description) => set({ description })} />
        <RefusalBox refusal={saving.refusal} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button main"
            disabled={saving.isRunning || name === '' || draft.into === '' || (!hook && draft.secret === '')}
          >
            {hook ? 'Save' : 'Make the hook'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type HmacFieldsProps = { readonly draft: HookDraft; readonly set: (changed: Partial<HookDraft>) => void }

/** The form of a signature that no scheme of a name has. */
const HmacFields = ({ draft, set }: HmacFieldsProps) => (
  <>
    <TextField
      label="Header with the signature"
      value={draft.header}
      onInput={(header) => set({ header })}
      isRequired
      isMono
      placeholder="X-Signature"
    />
    <TextField
      label="Text before the signature"
      value={draft.prefix}
      onInput={(prefix) => set({ prefix })}
      isMono
      placeholder="sha256="
    />
    <SelectField
      label="Hash"
      value={draft.algorithm}
      options={['sha256', 'sha1', 'sha384', 'sha512'].map((each) => [each, each] as const)}
      onInput={(algorithm) => set({ algorithm })}
    />
    <SelectField
      label="Written as"
      value={draft.encoding}
      options={['hex', 'base64'].map((each) => [each, each] as const)}
      onInput={(encoding) => set({ encoding })}
    />
    <TextField
      label="Header with the time"
      value={draft.timestamp}
      onInput={(timestamp) => set({ timestamp })}
      isMono
      hint="Empty: the signature has no time."
    />
    <TextField
      label="What is signed"
      value={draft.signed}
      onInput={(signed) => set({ signed })}
      isMono
      placeholder={draft.timestamp === '' ? '{body}' : '{timestamp}.{body}'}
    />
  </>
)
