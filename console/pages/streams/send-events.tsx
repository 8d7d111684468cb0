import { useState } from 'preact/hooks'
import { call, Refusal } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { StreamPlace } from './addresses.ts'
import { bodyOf, type Outcome, outcomeOf } from './sent-events.ts'
import { exampleEvent, type WireStream } from './wire-schema.ts'

type SendEventsProps = StreamPlace & { readonly wire: WireStream; readonly onClose: () => void }

/** A form that sends one event, or one a line. */
export function SendEvents({ schema, stream, wire, onClose }: SendEventsProps) {
  const [text, setText] = useState(() => exampleEvent(wire))
  const { outcome, refusal, isBusy, send } = useSend({ schema, stream })
  return (
    <Dialog title={`Send events to ${schema}.${stream}`} onClose={onClose} isWide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send(text)
        }}
      >
        <TextField
          label="Event"
          hint="A JSON object; or several, one a line."
          isMono
          lines={10}
          value={text}
          onInput={setText}
        />
        <RefusalBox refusal={refusal} />
        <div role="status">{outcome && <OutcomeText outcome={outcome} />}</div>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button main" disabled={isBusy}>
            Send
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Posts a text as events, and tells what came of it. */
export function useSend({ schema, stream }: StreamPlace) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)

  /** Whether all of it was taken. */
  async function send(text: string): Promise<boolean> {
    setBusy(true)
    setOutcome(undefined)
    setRefusal(undefined)
    try {
      const { body, type } = bodyOf(text)
      const headers = { 'Content-Type': type }
      const found = outcomeOf(await call('POST /stream/{schema}/{stream}', { path: { schema, stream }, body, headers }))
      setOutcome(found)
      return found.numRefused === 0
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  return { outcome, refusal, isBusy, send }
}

export function OutcomeText({ outcome: { numTaken, numRefused, errors, notes } }: { readonly outcome: Outcome }) {
  return (
    <div class="stack tight">
      <p>
        {numTaken > 0 && <span class="badge good">{numTaken === 1 ? 'Taken' : `${numTaken} taken`}</span>}{' '}
        {numRefused > 0 && <span class="badge bad">{numRefused} refused</span>}
      </p>
      {errors.map(({ line, error }) => (
        <p key={line} class="small">
          Line {line}: {error}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} class="small soft">
          {note}
        </p>
      ))}
    </div>
  )
}
