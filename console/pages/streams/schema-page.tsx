import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DependenciesAnswer, StreamInfosAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { may, scopesOf } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Crumbs } from '../../parts/crumbs.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Picture } from '../../parts/picture.tsx'
import type { PictureNode } from '../../parts/picture-layout.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useInAddress } from '../../state/address.ts'
import { editAddress, registerAddress, schemaAddress, streamAddress } from './addresses.ts'
import { SchemaProgress } from './schema-progress.tsx'
import { folded, graphOf, kindOf, kindTexts, restId } from './stream-graph.ts'
import { useInfo } from './use-info.ts'

/** Beyond so many nodes the picture begins folded. */
const maxNodes = innerWidth < 700 ? 8 : 28
/** Beyond so many streams the picture leaves out their counts. */
const maxCounted = 80

/** The feeds within a schema, as a picture and as a list. Without a name the first schema is shown. */
export function SchemaPage({ schema: asked }: { readonly schema?: string }) {
  const list = useAnswer((signal) => call('GET /stream/list', { signal }), [], { every_ms: 15_000 })
  const schemas = list.value?.schemas
  const schema = asked ?? schemas?.[0]?.name
  const { route } = useLocation()

  return (
    <>
      {asked !== undefined && <Crumbs steps={[['Streams', '/console/streams']]} />}
      <PageHead title={asked ?? 'Streams'} says="What feeds what, and how much there is of it.">
        {may('define') && schema !== undefined && schemas?.some(({ name }) => name === schema) && (
          <a class="button" href={editAddress(schema)}>
            <Icon name="edit" />
            Edit schema
          </a>
        )}
        {may('define') && asked !== undefined && schemas?.some(({ name }) => name === asked) && (
          <RemoveButton
            title={`Remove schema ${asked}?`}
            things="events"
            canUndo
            dryRun={async (signal) => {
              const path = { schema: asked }
              const answer = await call('DELETE /stream/{schema}', { path, query: { dry: 1 }, signal })
              return 'would_delete' in answer ? answer : { would_delete: [] }
            }}
            remove={async (undo) => {
              await call('DELETE /stream/{schema}', { path: { schema: asked }, query: { undo } })
            }}
            onGone={() => route('/console/streams')}
          />
        )}
        {may('define') && (
          <a class={schema === undefined ? 'button main' : 'button'} href={registerAddress}>
            <Icon name="plus" />
            Register a schema
          </a>
        )}
      </PageHead>
      {!may('define') && (
        <p class="small soft">
          To register and edit schemas takes a key with the scope define; yours has {scopesOf()}.
        </p>
      )}
      <RefusalBox refusal={list.refusal} />
      {schemas === undefined && !list.refusal && <Skeleton />}
      {schemas && schemas.length > 1 && <SchemaChoice names={schemas.map(({ name }) => name)} chosen={schema} />}
      {schemas?.length === 0 && asked === undefined && (
        <Empty title="There is no schema yet" icon="streams">
          <p>A schema says which events come, and what is counted, copied and drawn of them.</p>
          {may('define') && (
            <a class="button main" href={registerAddress}>
              Register a schema
            </a>
          )}
        </Empty>
      )}
      {schema !== undefined && <Schema key={schema} schema={schema} />}
    </>
  )
}

/** More are found by their names. */
const maxChoices = 12

function SchemaChoice({ names, chosen }: { readonly names: readonly string[]; readonly chosen: string | undefined }) {
  const [search, setSearch] = useState('')
  const isLong = names.length > maxChoices
  const found = names.filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
  // The chosen one is there in any case.
  const ordered = [...found].sort((a, b) => Number(b === chosen) - Number(a === chosen))
  const shown = (search === '' && isLong ? ordered : found).slice(0, maxChoices)
  return (
    <nav aria-label="Schemas" class="schema-choice">
      {isLong && (
        <input
          class="input"
          type="search"
          aria-label="Find a schema"
          placeholder="Find a schema"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul>
        {shown.map((name) => (
          <li key={name}>
            <a href={schemaAddress(name)} aria-current={name === chosen ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
        {found.length > shown.length && (
          <li class="soft small">{formatCount(found.length - shown.length)} more, found by name</li>
        )}
      </ul>
    </nav>
  )
}

function Schema({ schema }: { readonly schema: string }) {
  const picture = useAnswer(
    (signal) => call('GET /stream/{schema}/depgraph', { path: { schema }, query: { details: 1 }, signal }),
    [schema],
    { every_ms: 20_000 },
  )
  const info = useInfo(schema)
  if (picture.refusal) return <RefusalBox refusal={picture.refusal} />
  if (!picture.value) return <Skeleton lines={8} />
  return (
    <div class="stack">
      <SchemaProgress schema={schema} info={info.value} />
      <StreamsPicture answer={picture.value} info={info.value} />
      <StreamsTable answer={picture.value} info={info.value} />
    </div>
  )
}

type PartProps = { readonly answer: DependenciesAnswer; readonly info: StreamInfosAnswer | undefined }

const eventsIn = (info: StreamInfosAnswer | undefined): ReadonlyMap<string, number> =>
  new Map(info?.streams.map(({ name, num_events }) => [name, num_events]))

function StreamsPicture({ answer, info }: PartProps) {
  const { route } = useLocation()
  const [search, setSearch] = useInAddress('find')
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const isLarge = answer.node_info.length > maxCounted
  // The counts of a large schema would lay the picture out anew each time.
  const graph = useMemo(() => graphOf(answer, isLarge ? new Map() : eventsIn(info)), [answer, info, isLarge])
  const shape = JSON.stringify(graph)
  const whole = useMemo(() => graph, [shape])
  const shown = useMemo(() => folded(whole, { unfolded, search, max: maxNodes }), [whole, unfolded, search])
  const wanted = search.trim().toLowerCase()
  const found = wanted === '' ? undefined : shown.nodes.find(({ title }) => title.toLowerCase().includes(wanted))
  const kinds = [...new Set(whole.nodes.map(({ kind }) => kind.split(' ')[0] ?? kind))]

  const unfold = ({ id }: PictureNode) => setUnfolded(new Set([...unfolded, id]))
  const open = (node: PictureNode) => {
    if (node.id === restId) unfold(node)
    else if (node.href !== undefined) route(node.href)
  }

  return (
    <section class="stack tight" aria-label="Picture">
      <div class="row spread wrap">
        <input
          class="input picture-search"
          type="search"
          aria-label="Find in the picture"
          placeholder={`Find among ${formatCount(whole.nodes.length)}`}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <span class="small soft" aria-live="polite">
          {wanted !== '' && !found ? 'Nothing has that name' : ''}
        </span>
        <ul class="picture-legend">
          {kinds.map((kind) => (
            <li key={kind} class={`node-${kind}`}>
              <span aria-hidden="true" />
              {kindTexts[kind] ?? kind}
            </li>
          ))}
        </ul>
      </div>
      <Picture
        label={`The streams of ${answer.schema}, and what they feed`}
        nodes={shown.nodes}
        edges={shown.edges}
        onOpen={open}
        onUnfold={unfold}
        chosen={found?.id}
      />
      <p class="small faint">
        Drag to move, Ctrl and the wheel to zoom. By keyboard: arrows go from one to the next, Enter opens, + and −
        zoom, 0 shows all.
      </p>
    </section>
  )
}

type StreamRow = {
  readonly name: string
  readonly kind: string
  readonly isOn: boolean
  readonly numEvents: number | undefined
  readonly parents: string
  readonly children: string
}

const columns: readonly Column<StreamRow>[] = [
  { name: 'name', title: 'Stream', text: ({ name }) => name, value: ({ name }) => name },
  { name: 'kind', title: 'Kind', text: ({ kind }) => kind, value: ({ kind }) => kind, width: 84 },
  {
    name: 'events',
    title: 'Events',
    text: ({ numEvents }) => (numEvents === undefined ? '…' : formatCount(numEvents)),
    value: ({ numEvents }) => numEvents,
    isNumber: true,
    width: 110,
  },
  {
    name: 'state',
    title: 'State',
    text: ({ isOn }) => (isOn ? 'on' : 'off'),
    value: ({ isOn }) => isOn,
    cell: ({ isOn }) => <span class={isOn ? 'badge good' : 'badge warn'}>{isOn ? 'on' : 'off'}</span>,
    width: 84,
  },
  { name: 'parents', title: 'Fed by', text: ({ parents }) => parents },
  { name: 'children', title: 'Feeds', text: ({ children }) => children },
]

function StreamsTable({ answer, info }: PartProps) {
  const { route } = useLocation()
  const rows = useMemo(() => {
    const events = eventsIn(info)
    return answer.node_info.map(
      ({ node, type, state, parent, children }): StreamRow => ({
        name: node,
        kind: kindOf(type),
        isOn: state !== 0,
        numEvents: events.get(node),
        parents: parent.join(', '),
        children: children.join(', '),
      }),
    )
  }, [answer, info])
  return (
    <section class="stack tight" aria-label="List">
      <h2>Streams</h2>
      <DataTable
        label="Streams"
        columns={columns}
        rows={rows}
        onOpen={({ name }) => route(streamAddress(answer.schema, name))}
      />
    </section>
  )
}
