import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Crumbs } from '../../parts/crumbs.tsx'
import { TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useAction } from '../../parts/use-action.ts'
import { savedAddress } from './addresses.ts'
import type { Definition } from './definition.ts'
import { type Draft, draftedDefinition, draftOf, QuestionForm } from './question-form.tsx'
import { save } from './save.ts'

const nothing: Definition = { sql: '', language: 'sql', cache_s: 0, params: {} }

/** The form of a new question, which may begin with the text of another page. */
export function NewQuestion() {
  const { query, route } = useLocation()
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<Draft>(() =>
    draftOf({
      ...nothing,
      sql: query.sql ?? '',
      language: query.lang === 'weir' ? 'weir' : 'sql',
      ...(query.db !== undefined && query.db !== 'mydb' && { db: query.db }),
    }),
  )
  const saving = useAction()
  const [tried, setTried] = useState<string>()
  const isAlert = query.alert === '1'

  async function send(isDry: boolean): Promise<void> {
    setTried(undefined)
    await saving.run(async () => {
      const { msg, error = [] } = await save(name, draftedDefinition(draft, nothing), { isDry })
      if (isDry) setTried([msg, ...error].join('. '))
      else if (isAlert) route(`${savedAddress(name, 'alert')}&${alertMembers(query)}`, true)
      else route(savedAddress(name), true)
    })
  }

  const canSend = name.trim() !== '' && draft.sql.trim() !== '' && !saving.isRunning
  return (
    <>
      <Crumbs steps={[['Saved questions', '/console/saved'], ['new']]} />
      <PageHead
        title={isAlert ? 'New alert' : 'New question'}
        says={
          isAlert
            ? 'First the question gets a name; the next step says when it is an alert, and who is told.'
            : 'The text is tried before it is saved.'
        }
      />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (canSend) void send(false)
        }}
      >
        <div class="card saved-inside">
          <TextField
            label="Name"
            value={name}
            onInput={setName}
            isRequired
            placeholder="visits_of"
            hint="letters, digits and underscores: it is a part of the address"
          />
        </div>
        <QuestionForm
          draft={draft}
          before={nothing}
          onChange={setDraft}
          onRun={() => canSend && void send(false)}
          refusal={saving.refusal}
        />
        {tried !== undefined && (
          <p class="notice" role="status">
            {tried}
          </p>
        )}
        <div class="saved-actions">
          <a class="button" href="/console/saved">
            Leave it
          </a>
          <button type="button" class="button" disabled={!canSend} onClick={() => void send(true)}>
            Try it
          </button>
          <button type="submit" class="button main" disabled={!canSend}>
            {isAlert ? 'Save, and go on to the alert' : 'Save'}
          </button>
        </div>
      </form>
    </>
  )
}

/** The members of the address with which the form of the alert begins. */
function alertMembers(query: Readonly<Record<string, string>>): URLSearchParams {
  const members = new URLSearchParams({ do: 'edit' })
  for (const name of ['when', 'key', 'every']) if (query[name] !== undefined) members.set(name, query[name])
  return members
}
