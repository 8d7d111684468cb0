import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { follow } from '../../api/live.ts'
import { may } from '../../api/session.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { inZone, zone } from '../../state/time-zone.ts'
import type { StreamPlace } from './addresses.ts'
import { EventDialog } from './event-dialog.tsx'
import { SendEvents } from './send-events.tsx'
import { createTail, type TailEvent } from './tail.ts'
import { isObject, type WireStream } from './wire-schema.ts'

/** Events that are kept in the page: older ones are a query away. */
const capacity = 5000
const begun = 100

type LiveTailProps = StreamPlace & { readonly wire: WireStream }

/** The events of a stream as they come. */
export function LiveTail({ schema, stream, wire }: LiveTailProps) {
  const [where, setWhere] = useInAddress('where')
  const [draft, setDraft] = useState(where)
  const [state, setState] = useState<'opening' | 'open' | 'lost'>('opening')
  const [refusal, setRefusal] = useState<Refusal>()
  const [gap, setGap] = useState<string>()
  const [note, setNote] = useState<string>()
  const [opened, setOpened] = useState<TailEvent>()
  const [isSending, setSending] = useState(false)
  const [, render] = useReducer((turn: number) => turn + 1, 0)
  const tail = useMemo(() => createTail(capacity), [schema, stream, where])
  const frame = useRef(0)

  useEffect(() => setDraft(where), [where])

  useEffect(() => {
    const gone = new AbortController()
    setRefusal(undefined)
    setGap(undefined)
    setNote(undefined)
    setState('opening')
    const draw = () => {
      frame.current = 0
      render(undefined)
    }
    void follow(
      'GET /stream/{schema}/{stream}/live',
      { path: { schema, stream }, query: { where, last: begun }, signal: gone.signal },
      {
        events(events) {
          const came = events.filter(({ event }) => event === 'event')
          const lost = events.findLast(({ event }) => event === 'gap')
          if (lost) setGap(lost.data)
          const noted = events.findLast(({ event }) => event === 'note')
          if (noted) setNote(noteText(noted.data))
          tail.push(came)
          // One drawing a frame, however many events come.
          frame.current ||= requestAnimationFrame(draw)
        },
        state: setState,
        refused: setRefusal,
      },
    )
    return () => {
      gone.abort()
      cancelAnimationFrame(frame.current)
      frame.current = 0
    }
  }, [tail])

  const rate = useRate(tail)
  const rows = tail.rows()
  const hasOthers = useRef(false)
  hasOthers.current ||= rows.slice(0, 20).some((row) => othersOf(wire, row).length > 0)
  const columns = useMemo(() => columnsOf(wire, hasOthers.current), [wire, hasOthers.current, zone.value])

  const pause = (isPaused: boolean) => {
    if (isPaused) tail.pause()
    else tail.resume()
    render(undefined)
  }

  return (
    <div class="stack live-tail">
      <form
        class="row wrap"
        onSubmit={(event) => {
          event.preventDefault()
          setWhere(draft.trim(), 'push')
        }}
      >
        <input
          class="input mono grow live-where"
          aria-label="Condition on the events"
          placeholder={`where, such as ${conditionFor(wire)}`}
          spellcheck={false}
          autocomplete="off"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          <Icon name="search" />
          Filter
        </button>
        <button type="button" class="button" aria-pressed={tail.isPaused} onClick={() => pause(!tail.isPaused)}>
          <Icon name={tail.isPaused ? 'play' : 'pause'} />
          {tail.isPaused ? `Resume${tail.numWaiting > 0 ? ` (${formatCount(tail.numWaiting)} new)` : ''}` : 'Pause'}
        </button>
        {wire.kind === 'input' && may('write') && (
          <button type="button" class="button main" onClick={() => setSending(true)}>
            <Icon name="plus" />
            Send events
          </button>
        )}
      </form>
      <RefusalBox refusal={refusal} />
      {note !== undefined && (
        <p class="notice warn" role="status">
          <Icon name="warning" />
          <span>{note}</span>
        </p>
      )}
      {gap !== undefined && (
        <p class="notice warn" role="status">
          <Icon name="warning" />
          <span>
            Events between the last one and now are not kept any more, so they are left out here. {gapText(gap)}
          </span>
        </p>
      )}
      <div class="row spread small soft">
        <span class="live-state" role="status">
          <span class={`live-dot is-${refusal ? 'lost' : state}`} aria-hidden="true" />
          {refusal ? 'Stopped' : stateTexts[state]}
        </span>
        <span class="number">
          <span data-seen={tail.numSeen}>{formatCount(tail.numSeen)} events seen</span>
          {rate > 0 && ` · ${formatCount(rate)} a second`}
          {tail.numSeen > capacity && ` · the latest ${formatCount(capacity)} are here`}
        </span>
      </div>
      <DataTable
        class="live-rows"
        label={`Events of ${schema}.${stream}, newest first`}
        columns={columns}
        rows={rows}
        numPrepended={rows[0]?.number ?? 0}
        onOpen={setOpened}
        isOpen={(row) => row === opened}
      />
      {rows.length === 0 && !refusal && (
        <p class="soft small">
          {where === ''
            ? 'No event has come yet. The first one appears here as it comes.'
            : 'No event that matches has come yet.'}
        </p>
      )}
      {opened && <EventDialog event={opened.data} onClose={() => setOpened(undefined)} />}
      {isSending && <SendEvents schema={schema} stream={stream} wire={wire} onClose={() => setSending(false)} />}
    </div>
  )
}

const stateTexts = {
  opening: 'Connecting',
  open: 'Live',
  lost: 'The connection is lost; it is made again, and goes on where it ended',
} as const

/** The sentences of a note: `{"error": ["..."]}`. */
function noteText(data: string): string {
  const note = parseJson(data)
  return isObject(note) && Array.isArray(note.error) ? note.error.join('; ') : data
}

/** `from` and `to` of a gap are positions in the log. */
function gapText(data: string): string {
  const gap = parseJson(data)
  return isObject(gap) ? `(${String(gap.from)} to ${String(gap.to)})` : ''
}

const parsed = new WeakMap<TailEvent, Readonly<Record<string, unknown>>>()

function membersOf(event: TailEvent): Readonly<Record<string, unknown>> {
  const there = parsed.get(event)
  if (there) return there
  const value = parseJson(event.data)
  const members = isObject(value) ? value : {}
  parsed.set(event, members)
  return members
}

const textOf = (value: unknown): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** Members that the stream does not declare. */
function othersOf({ attributes }: WireStream, event: TailEvent): readonly (readonly [name: string, value: unknown])[] {
  const isKnown = (name: string) => name === '_pk' || name === '_v' || attributes.some((each) => each.name === name)
  return Object.entries(membersOf(event)).filter(([name]) => !isKnown(name))
}

function columnsOf(wire: WireStream, hasOthers: boolean): readonly Column<TailEvent>[] {
  const shown = wire.attributes.filter(({ name }) => name !== '_pk' && !name.includes('.'))
  const others: Column<TailEvent> = {
    name: '_others',
    title: 'Others',
    text: (event) =>
      othersOf(wire, event)
        .map(([name, value]) => `${name} ${textOf(value)}`)
        .join(', '),
  }
  return [
    { name: '_pk', title: inZone('Time'), text: (event) => timeText(Number(membersOf(event)._pk)), width: 208 },
    ...shown.map(
      ({ name, type }): Column<TailEvent> => ({
        name,
        title: name,
        text: (event) => textOf(membersOf(event)[name]),
        isNumber: type === 'LONG' || type === 'DOUBLE',
      }),
    ),
    ...(hasOthers ? [others] : []),
  ]
}

function conditionFor({ attributes }: WireStream): string {
  const text = attributes.find(({ type }) => type === 'STRING')
  const number = attributes.find(({ type }) => type === 'LONG' || type === 'DOUBLE')
  if (number) return `${number.name} > 10${text ? ` and ${text.name} = "a"` : ''}`
  return text ? `${text.name} = "a"` : '_pk > 0'
}

/** Events a second, over the last second; the old ones, with which a tail begins, are none of these. */
function useRate(tail: { readonly numSeen: number }): number {
  const [rate, setRate] = useState(0)
  useEffect(() => {
    let [before, at] = [0, performance.now()]
    const timer = setInterval(() => {
      const now = performance.now()
      setRate(before === 0 ? 0 : Math.round(((tail.numSeen - before) / (now - at)) * 1000))
      ;[before, at] = [tail.numSeen, now]
    }, 1000)
    return () => clearInterval(timer)
  }, [tail])
  return rate
}
