import { useState } from 'preact/hooks'
import { useAction } from '../../parts/use-action.ts'
import { definitionOf, type QuestionProps } from './definition.ts'
import { draftedDefinition, draftOf, QuestionForm } from './question-form.tsx'
import { mayDefine } from './rights.ts'
import { save } from './save.ts'

/** The text of a question and its parameters, to be changed by those that may. */
export function EditTab({ described, onChanged }: QuestionProps) {
  const before = definitionOf(described)
  const [draft, setDraft] = useState(() => draftOf(before))
  const [said, setSaid] = useState<string>()
  const saving = useAction()

  if (!mayDefine(described.name))
    return (
      <section class="card" aria-label="Question">
        <pre class="answer-text">{described.sql}</pre>
      </section>
    )

  async function send(isDry: boolean): Promise<void> {
    setSaid(undefined)
    await saving.run(async () => {
      const { msg, error = [] } = await save(described.name, draftedDefinition(draft, before), { isDry })
      setSaid([msg, ...error].join('. '))
      if (!isDry) onChanged()
    })
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send(false)
      }}
    >
      <QuestionForm
        draft={draft}
        before={before}
        onChange={setDraft}
        onRun={() => void send(false)}
        refusal={saving.refusal}
      />
      {said !== undefined && (
        <p class="notice" role="status">
          {said}
        </p>
      )}
      <div class="saved-actions">
        <button type="button" class="button" disabled={saving.isRunning} onClick={() => void send(true)}>
          Try it
        </button>
        <button type="submit" class="button main" disabled={saving.isRunning || draft.sql.trim() === ''}>
          Save
        </button>
      </div>
    </form>
  )
}
