import { useRef, useState } from 'preact/hooks'
import { call, Refusal, Unreachable } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { StreamPlace } from './addresses.ts'
import { leftOf, type Outcome, outcomeOf, partsOf, together } from './sent-events.ts'
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
          void send(text).then(setText)
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
        <div role="status">
          {outcome && <OutcomeText outcome={outcome} />}
          {outcome && outcome.numRefused > 0 && text !== '' && (
            <p class="small soft">What was taken has left the box: mend what is in it, and send that alone.</p>
          )}
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          {text === '' && (
            <button type="button" class="button" onClick={() => setText(exampleEvent(wire))}>
              Another example
            </button>
          )}
          <button type="submit" class="button main" disabled={isBusy || text.trim() === ''}>
            Send
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Posts a text as events, and tells what came of it: sent again, no event of it counts twice. */
export function useSend({ schema, stream }: StreamPlace) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const tried = useRef<{ readonly text: string; readonly key: string }>(undefined)

  /** The text that is left to be sent: empty where all of it was taken. */
  async function send(text: string): Promise<string> {
    setBusy(true)
    setOutcome(undefined)
    setRefusal(undefined)
    // Where no answer came the same text goes under the same key: what was taken by then is not counted again.
    if (tried.current?.text !== text) tried.current = { text, key: randomKey() }
    const { key } = tried.current
    try {
      const found: Outcome[] = []
      for (const { body, type, before } of partsOf(text)) {
        const headers = { 'Content-Type': type, 'Idempotency-Key': `${key}-${before}` }
        const answer = await call('POST /stream/{schema}/{stream}', { path: { schema, stream }, body, headers })
        found.push(outcomeOf(answer, before))
      }
      const whole = together(found)
      setOutcome(whole)
      tried.current = undefined
      return leftOf(text, whole)
    } catch (error) {
      if (error instanceof Unreachable)
        setRefusal(
          new Refusal(0, ['Weir does not answer. Send it again once it does: nothing counts twice.'], undefined),
        )
      else if (error instanceof Refusal) setRefusal(error)
      else throw error
      return text
    } finally {
      setBusy(false)
    }
  }

  return { outcome, refusal, isBusy, send }
}

/** Also where the page came without TLS. */
const randomKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

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
