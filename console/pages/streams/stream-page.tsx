import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { formatCount } from '../../parts/format.ts'
import { numberText } from '../../parts/number-text.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { ratesOf, type Sample, withSample } from '../../state/samples.ts'
import { type StreamPlace, schemaAddress } from './addresses.ts'
import { Declared } from './declared.tsx'
import { EntityRows } from './entity-rows.tsx'
import { LiveTail } from './live-tail.tsx'
import { RefusedEvents } from './refused-events.tsx'
import { SchemaProgress } from './schema-progress.tsx'
import { Statistics } from './statistics.tsx'
import { kindOf, kindTexts, type StreamKind } from './stream-graph.ts'
import { useInfo } from './use-info.ts'
import { streamIn, type WireStream } from './wire-schema.ts'

type Tab = 'live' | 'statistics' | 'rows' | 'refused' | 'declared'

const tabTexts: Readonly<Record<Tab, string>> = {
  live: 'Live',
  statistics: 'Statistics',
  rows: 'Rows',
  refused: 'Refused',
  declared: 'Declared',
}

const tabsOf: Readonly<Record<StreamKind, readonly Tab[]>> = {
  input: ['live', 'statistics', 'refused', 'declared'],
  filter: ['live', 'statistics', 'declared'],
  join: ['live', 'statistics', 'declared'],
  entity: ['rows', 'declared'],
}

/** A stream: its events as they come, its statistics as charts, what was refused, what it declares. */
export function StreamPage({ schema, stream }: StreamPlace) {
  const body = useAnswer((signal) => call('GET /stream/{schema}/schema', { path: { schema }, signal }), [schema])
  const info = useInfo(schema)
  const { route } = useLocation()
  const of = info.value?.streams.find(({ name }) => name === stream)
  const wire = body.value ? streamIn(body.value, stream) : undefined
  const kind = wire?.kind ?? (of && kindOf(of.type))

  return (
    <>
      <Crumbs
        steps={[
          ['Streams', '/console/streams'],
          [schema, schemaAddress(schema)],
        ]}
      />
      <PageHead title={stream} says={kind && kindTexts[kind]}>
        {of && (
          <span class="badge">
            {formatCount(of.num_events)} {kind === 'entity' ? 'keys' : 'events'}
          </span>
        )}
        {of?.rule_state?.waiting !== undefined && (
          <span
            class="badge"
            title="Events that wait for another one, whose absence will be told, and keys whose session is open"
          >
            {formatCount(of.rule_state.waiting)} waiting
          </span>
        )}
        {of && may('define') && (
          <RemoveButton
            title={`Remove stream ${stream}?`}
            things={kind === 'entity' ? 'keys' : 'events'}
            canUndo
            dryRun={async (signal) => {
              const path = { schema, stream }
              const answer = await call('DELETE /stream/{schema}/{stream}', { path, query: { dry: 1 }, signal })
              return 'would_delete' in answer ? answer : { would_delete: [] }
            }}
            remove={async (undo) => {
              await call('DELETE /stream/{schema}/{stream}', { path: { schema, stream }, query: { undo } })
            }}
            onGone={() => route(schemaAddress(schema))}
          />
        )}
        {of && <StateSwitch schema={schema} stream={stream} isOn={of.state === 1} onChanged={info.again} />}
      </PageHead>
      <RefusalBox refusal={body.refusal ?? info.refusal} />
      <SchemaProgress schema={schema} stream={stream} info={info.value} />
      {body.value && !wire && (
        <p>
          There is no stream {stream} in schema {schema}.
        </p>
      )}
      {!body.value && !body.refusal && <Skeleton lines={6} />}
      {wire && <StreamTabs schema={schema} stream={stream} wire={wire} info={of} onChanged={info.again} />}
    </>
  )
}

type StreamTabsProps = StreamPlace & {
  readonly wire: WireStream
  readonly info: { readonly rebuild?: { readonly state: string } } | undefined
  readonly onChanged: () => void
}

function StreamTabs({ schema, stream, wire, info, onChanged }: StreamTabsProps) {
  const tabs = tabsOf[wire.kind].filter((tab) => tab !== 'refused' || may('write') || may('read'))
  const first = tabs[0] ?? 'live'
  const refused = useAnswer(
    async (signal) =>
      wire.kind === 'input' && may('write')
        ? (
            await call('GET /stream/{schema}/{stream}/refused', {
              path: { schema, stream },
              query: { limit: 1 },
              signal,
            })
          ).num_refused
        : 0,
    [schema, stream],
    { every_ms: 10_000 },
  )
  const [asked, setTab] = useInAddress('tab', first)
  const tab = tabs.find((each) => each === asked) ?? first
  return (
    <Tabs
      label={`Views of ${stream}`}
      tabs={tabs.map(
        (each) =>
          [
            each,
            each === 'refused' ? <Counted text={tabTexts[each]} count={refused.value} /> : tabTexts[each],
          ] as const,
      )}
      chosen={tab}
      onChoose={(chosen) => setTab(chosen, 'push')}
    >
      {tab === 'live' && <LiveTail schema={schema} stream={stream} wire={wire} />}
      {tab === 'statistics' && <Statistics schema={schema} stream={stream} wire={wire} />}
      {tab === 'rows' && <EntityRows schema={schema} stream={stream} />}
      {tab === 'refused' && <RefusedEvents schema={schema} stream={stream} />}
      {tab === 'declared' && (
        <Declared
          schema={schema}
          stream={stream}
          wire={wire}
          isRebuilt={info?.rebuild?.state === 'running'}
          onChanged={onChanged}
        />
      )}
    </Tabs>
  )
}

/** A tab with how many there are. */
const Counted = ({ text, count = 0 }: { readonly text: string; readonly count?: number | undefined }) => (
  <>
    {text}
    {count > 0 && <span class="badge warn"> {formatCount(count)}</span>}
  </>
)

type StateSwitchProps = StreamPlace & { readonly isOn: boolean; readonly onChanged: () => void }

/** On or off; a stream that is off takes no events. */
function StateSwitch({ schema, stream, isOn, onChanged }: StateSwitchProps) {
  const [isAsking, setAsking] = useState(false)
  const changing = useAction()
  const change = () =>
    changing.run(async () => {
      await call('PUT /stream/{schema}/{stream}/state', { path: { schema, stream }, body: { state: isOn ? 0 : 1 } })
      onChanged()
      setAsking(false)
    })
  return (
    <>
      <span class={isOn ? 'badge good' : 'badge warn'}>{isOn ? 'on' : 'off'}</span>
      {may('define') && (
        <button
          type="button"
          class="button small"
          disabled={changing.isRunning}
          onClick={() => (isOn ? setAsking(true) : void change())}
        >
          Turn {isOn ? 'off' : 'on'}
        </button>
      )}
      {!isAsking && changing.refusal && <RefusalBox refusal={changing.refusal} />}
      {isAsking && (
        <Dialog title={`Turn ${stream} off?`} onClose={() => setAsking(false)}>
          <div class="stack">
            <p>
              From then on each event that is sent to {schema}.{stream} is refused (409), until somebody turns it on
              again. What it has stays.
            </p>
            <Rate schema={schema} stream={stream} />
            <RefusalBox refusal={changing.refusal} />
          </div>
          <div class="actions">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Leave it on
            </button>
            <button type="button" class="button danger" disabled={changing.isRunning} onClick={() => void change()}>
              Turn it off
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

const sampled_ms = 2000

/** Events that come now, by two counts of them. */
function Rate({ schema, stream }: StreamPlace) {
  const samples = useRef<readonly Sample[]>([])
  const { value } = useAnswer(
    async (signal) => {
      const { streams } = await call('GET /stream/{schema}/info', { path: { schema }, signal })
      const count = streams.find(({ name }) => name === stream)?.num_events ?? 0
      samples.current = withSample(samples.current, { at_ms: performance.now(), value: count }, 10 * sampled_ms)
      return ratesOf(samples.current).at(-1)?.value
    },
    [schema, stream],
    { every_ms: sampled_ms },
  )
  return (
    <p class="soft" role="status">
      {value === undefined
        ? 'Counting what comes now…'
        : `${numberText(Math.round(value * 10) / 10)} events a second come now.`}
    </p>
  )
}
