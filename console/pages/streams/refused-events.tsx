import { useState } from 'preact/hooks'
import type { ListRefusedAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { formatAgo, formatCount } from '../../parts/format.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { shownText } from '../../parts/shown-text.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { timeText } from '../../parts/time-text.ts'
import { inZone } from '../../state/time-zone.ts'
import type { StreamPlace } from './addresses.ts'
import { eventIn, RejectedLines } from './rejected-lines.tsx'
import { OutcomeText, useSend } from './send-events.tsx'

type Refused = ListRefusedAnswer['refused'][number]

/** The service shows so much of a refused event. */
const shownBytes = 4096

const keyOf = ({ ts, line, text, error }: Refused): string => JSON.stringify([ts, line, text, error])

const columnsOf = (mended: ReadonlySet<string>): readonly Column<Refused>[] => [
  { name: 'ts', title: inZone('Time'), text: ({ ts }) => timeText(ts), value: ({ ts }) => ts, width: 208 },
  {
    name: 'line',
    title: 'Line',
    text: ({ line }) => (line === undefined ? '' : String(line)),
    value: ({ line }) => line,
    isNumber: true,
    width: 70,
  },
  {
    name: 'error',
    title: 'Reason',
    text: ({ error }) => error,
    cell: (row) => (
      <>
        {mended.has(keyOf(row)) && <span class="badge good">sent again</span>}
        {mended.has(keyOf(row)) && ' '}
        {shownText(row.error)}
      </>
    ),
    width: 460,
  },
  { name: 'text', title: 'Event', text: ({ text }) => text.replace(/\s+/g, ' ') },
  {
    name: 'mend',
    title: 'Mend',
    text: () => '',
    cell: () => <span class="badge">{may('write') ? 'Mend' : 'Open'}</span>,
    width: 84,
  },
]

/** Events that were refused, at once or later, each with its reason; one can be mended and sent again. */
export function RefusedEvents({ schema, stream }: StreamPlace) {
  const [opened, setOpened] = useState<Refused>()
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set())
  return (
    <div class="stack">
      {may('write') ? (
        <RefusedAtOnce schema={schema} stream={stream} />
      ) : (
        <p class="small soft">A key with the scope write sees what was refused at once, too.</p>
      )}
      {may('read') && (
        <RejectedLines
          schema={schema}
          stream={stream}
          onOpen={({ reason, line }) => setOpened({ ts: 0, error: reason, text: eventIn(line) })}
        />
      )}
      {opened && (
        <Mend
          key={keyOf(opened)}
          schema={schema}
          stream={stream}
          refused={opened}
          wasSent={sent.has(keyOf(opened))}
          onClose={() => setOpened(undefined)}
          onSent={() => setSent(new Set([...sent, keyOf(opened)]))}
        />
      )}
    </div>
  )
}

/** The latest events that this process has refused. */
function RefusedAtOnce({ schema, stream }: StreamPlace) {
  const { value, refusal, again } = useAnswer(
    (signal) => call('GET /stream/{schema}/{stream}/refused', { path: { schema, stream }, signal }),
    [schema, stream],
    { every_ms: 3000 },
  )
  const [opened, setOpened] = useState<Refused>()
  const [mended, setMended] = useState<ReadonlySet<string>>(new Set())
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!value) return <Skeleton />
  return (
    <div class="stack">
      <p class="small soft" role="status">
        {value.refused.length > 0 && 'Open a row to mend its event and send it again. '}
        {formatCount(value.num_refused)} refused since this process began to count, {formatAgo(value.since)}
        {value.num_refused > value.refused.length && `; the latest ${value.refused.length} are here`}.
      </p>
      {value.refused.length === 0 ? (
        <Empty title="Nothing was refused" icon="check">
          <p>An event that the stream does not take appears here with its line and the reason.</p>
        </Empty>
      ) : (
        <DataTable
          label={`Refused events of ${schema}.${stream}, newest first`}
          columns={columnsOf(mended)}
          rows={value.refused}
          onOpen={setOpened}
          isOpen={(row) => opened !== undefined && keyOf(row) === keyOf(opened)}
        />
      )}
      {opened && (
        <Mend
          key={keyOf(opened)}
          schema={schema}
          stream={stream}
          refused={opened}
          wasSent={mended.has(keyOf(opened))}
          onClose={() => setOpened(undefined)}
          onSent={() => {
            setMended(new Set([...mended, keyOf(opened)]))
            again()
          }}
        />
      )}
    </div>
  )
}

type MendProps = StreamPlace & {
  readonly refused: Refused
  /** It was mended and sent a moment ago. */
  readonly wasSent: boolean
  readonly onClose: () => void
  readonly onSent: () => void
}

function Mend({ schema, stream, refused, wasSent, onClose, onSent }: MendProps) {
  const [text, setText] = useState(() => pretty(refused.text))
  const [isSent, setSent] = useState(wasSent)
  const { outcome, refusal, isBusy, send } = useSend({ schema, stream })
  const isCut = refused.ts > 0 && new TextEncoder().encode(refused.text).length >= shownBytes

  async function sendAgain(): Promise<void> {
    if ((await send(text)) !== '') return
    setSent(true)
    onSent()
  }

  return (
    <Dialog title="A refused event" onClose={onClose} isWide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void sendAgain()
        }}
      >
        <p class="notice bad">
          <span>
            {refused.line !== undefined && <strong>Line {refused.line}: </strong>}
            {refused.error}
          </span>
        </p>
        {wasSent && <p class="notice good">It was sent again a moment ago.</p>}
        {isCut && <p class="small soft">Only the first 4 KB of the event are kept: complete it before you send it.</p>}
        <TextField
          label="Event"
          isMono
          lines={Math.min(20, Math.max(8, text.split('\n').length))}
          value={text}
          onInput={setText}
        />
        <RefusalBox refusal={refusal} />
        <div role="status">{outcome && <OutcomeText outcome={outcome} />}</div>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          {may('write') && (
            <button type="submit" class="button main" disabled={isBusy || isSent}>
              Send again
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const textOrBlanks = /"(?:[^"\\]|\\(?:[\s\S]|$))*(?:"|$)|\s+/g

/** Indented where it is JSON whose numbers stay as they are; else as it came. */
function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text.replace(textOrBlanks, (piece) => (piece.startsWith('"') ? piece : ''))
      ? JSON.stringify(value, undefined, 2)
      : text
  } catch {
    return text
  }
}
