import { useState } from 'preact/hooks'
import { call, Refusal } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatCount } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useInAddress } from '../../state/address.ts'
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
  const of = info.value?.streams.find(({ name }) => name === stream)
  const wire = body.value && streamIn(body.value, stream)
  const kind = wire?.kind ?? (of && kindOf(of.type))

  return (
    <>
      <nav aria-label="Path" class="small">
        <a href={schemaAddress(schema)}>{schema}</a>
        <span class="faint" aria-hidden="true">
          {' '}
          /{' '}
        </span>
      </nav>
      <PageHead title={stream} says={kind && kindTexts[kind]}>
        {of && (
          <span class="badge">
            {formatCount(of.num_events)} {kind === 'entity' ? 'keys' : 'events'}
          </span>
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
  const [asked, setTab] = useInAddress('tab', first)
  const tab = tabs.find((each) => each === asked) ?? first
  return (
    <Tabs
      label={`Views of ${stream}`}
      tabs={tabs.map((each) => [each, tabTexts[each]] as const)}
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

type StateSwitchProps = StreamPlace & { readonly isOn: boolean; readonly onChanged: () => void }

/** ON or OFF; a stream that is OFF takes no events. */
function StateSwitch({ schema, stream, isOn, onChanged }: StateSwitchProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)

  async function change(): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = { state: isOn ? 0 : 1 }
      await call('PUT /stream/{schema}/{stream}/state', { path: { schema, stream }, body })
      onChanged()
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
      else throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <span class={isOn ? 'badge good' : 'badge warn'}>{isOn ? 'ON' : 'OFF'}</span>
      {may('define') && (
        <button type="button" class="button small" disabled={isBusy} onClick={() => void change()}>
          Turn {isOn ? 'off' : 'on'}
        </button>
      )}
      {refusal && <RefusalBox refusal={refusal} />}
    </>
  )
}
