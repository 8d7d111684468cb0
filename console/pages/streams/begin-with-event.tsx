import { useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { definitionOf } from './definition-of-events.ts'

type BeginWithEventProps = { readonly onClose: () => void; readonly onDefinition: (text: string) => void }

/** A definition to begin with is written of events that a reader pastes. */
export function BeginWithEvent({ onClose, onDefinition }: BeginWithEventProps) {
  const [schema, setSchema] = useState('mine')
  const [stream, setStream] = useState('events')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()

  function write(): void {
    const begun = definitionOf(text, schema, stream)
    if ('problem' in begun) setProblem(begun.problem)
    else onDefinition(begun.definition)
  }

  return (
    <Dialog title="Begin with an event" onClose={onClose} isWide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          write()
        }}
      >
        <TextField
          label="Event"
          isMono
          lines={9}
          value={text}
          onInput={(value) => {
            setText(value)
            setProblem(undefined)
          }}
          fault={problem}
          placeholder={'{"customer": "ann", "price": 12.5, "paid": true}'}
          hint="An event as your program sends it, or several, one a line: a type fits all of them. Nothing is sent yet."
        />
        <div class="two">
          <TextField label="Schema" value={schema} onInput={setSchema} isRequired />
          <TextField label="Stream" value={stream} onInput={setStream} isRequired />
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button main" disabled={schema.trim() === '' || stream.trim() === ''}>
            Write the definition
          </button>
        </div>
      </form>
    </Dialog>
  )
}
