import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, Refusal, Unreachable } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { bounded, type Drawing, joined, noDrawing } from '../../parts/force-graph/drawing.ts'
import { ForceGraph } from '../../parts/force-graph/force-graph.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { ResultTable } from '../../parts/result/result-table.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { ChangeDialog, HistoryButton, StatementCard } from '../../parts/statement-card.tsx'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { remember } from '../query/history.ts'
import { HistoryDialog } from '../query/history-dialog.tsx'
import { Algorithms } from './algorithms.tsx'
import { countOf, drawingOf, nodeIdOf, rowsOf } from './drawn-answer.ts'
import { type Around, askAround } from './neighbours.ts'
import { NodePanel } from './node-panel.tsx'
import { suggestGraph } from './suggest-graph.ts'
import { type GraphShown, useGraphRun } from './use-graph-run.ts'

const usualQuery = 's=>(*)-[*]->(*); RETURN * LIMIT 500'
/** More than these are a ball of wool; the table has all. */
const max = { nodes: 700, links: 1800 }
const typing_ms = 500

export default function Graph() {
  const graphs = useAnswer((signal) => call('GET /graph/list', { signal }), [])
  const [named, setNamed] = useInAddress('graph')
  const [asked] = useInAddress('q')
  const change = useChangeAddress()
  const all = graphs.value?.graphs ?? []
  const graph = named !== '' ? named : (all[0] ?? '')
  const [text, setText] = useState(asked === '' ? usualQuery : asked)
  const [dialog, setDialog] = useState<'history' | 'change'>()
  const { run, ask, cancel } = useGraphRun()
  const seen = useRef<Pick<Drawing, 'nodes' | 'links'>>(noDrawing)
  const suggest = useMemo(() => suggestGraph(() => seen.current), [])

  // A page that is opened shows something: what its address asks, else the graph's first relations.
  const written = useRef<string>(undefined)
  useEffect(() => {
    if (graph === '') return
    const wanted = asked === '' ? usualQuery : asked
    const key = `${graph}\n${wanted}`
    if (written.current === key) return
    written.current = key
    setText(wanted)
    if (!changes(wanted)) void ask(graph, wanted)
  }, [graph, asked])
  useEffect(() => {
    if (graph === '' || written.current === `${graph}\n${text}`) return
    const timer = setTimeout(() => write(text, 'replace'), typing_ms)
    return () => clearTimeout(timer)
  }, [text])

  function write(value: string, how: 'replace' | 'push'): void {
    written.current = `${graph}\n${value}`
    change({ q: value === usualQuery ? undefined : value }, how)
  }

  function start(wanted: string): void {
    if (wanted.trim() === '' || graph === '') return
    setText(wanted)
    write(wanted, 'push')
    remember({ language: 'graph', text: wanted, place: graph, at_ms: Date.now() })
    void ask(graph, wanted)
  }

  const onRun = (): void => {
    if (changes(text)) setDialog('change')
    else start(text)
  }

  if (graphs.value && all.length === 0 && named === '') return <NoGraph />
  return (
    <>
      <PageHead title="Graph">
        {may('define') && graph !== '' && (
          <RemoveButton
            key={graph}
            title={`Remove graph ${graph}?`}
            things="nodes and relations"
            canUndo
            dryRun={async (signal) => {
              const answer = await call('DELETE /graph/{graph}', { path: { graph }, query: { dry: 1 }, signal })
              return 'would_delete' in answer ? answer : { would_delete: [] }
            }}
            remove={async (undo) => {
              await call('DELETE /graph/{graph}', { path: { graph }, query: { undo } })
            }}
            onGone={() => {
              setNamed('', 'push')
              graphs.again()
            }}
          />
        )}
        <HistoryButton onClick={() => setDialog('history')} />
      </PageHead>
      <div class="stack">
        <StatementCard
          language="graph"
          text={text}
          onInput={setText}
          onRun={onRun}
          onCancel={cancel}
          run={run}
          state={run.isRunning ? 'running' : undefined}
          suggest={suggest}
          help="graph-language"
          placeholder="s=>(Label:*)-[REL]->(*)"
          choices={
            <div class="database-choice">
              <SelectField
                label="Graph"
                value={graph}
                options={[...new Set([...all, ...(graph === '' ? [] : [graph])])].map((name) => [name, name])}
                onInput={(name) => setNamed(name, 'push')}
              />
            </div>
          }
        />
        {run.shown && (
          <Answered
            shown={run.shown}
            isRunning={run.isRunning}
            onSeen={(drawing) => {
              seen.current = drawing
            }}
            onAsk={start}
            onMore={() => void ask(graph, run.shown?.text ?? text, run.shown)}
          />
        )}
        {!run.shown && (run.isRunning || !graphs.value) && !run.refusal && (
          <div class="card">
            <Skeleton lines={7} />
          </div>
        )}
        {graph !== '' && <Algorithms graph={graph} onAsk={start} />}
      </div>
      {dialog === 'history' && (
        <HistoryDialog
          of={['graph']}
          onClose={() => setDialog(undefined)}
          onChoose={({ text: chosen, place }) => {
            setDialog(undefined)
            if (place !== graph) change({ graph: place, q: chosen }, 'push')
            else if (changes(chosen)) setText(chosen)
            else start(chosen)
          }}
        />
      )}
      {dialog === 'change' && (
        <ChangeDialog
          title="This statement changes the graph"
          text={text}
          onClose={() => setDialog(undefined)}
          onRun={() => start(text)}
        />
      )}
    </>
  )
}

const changes = (text: string): boolean => /^\s*(?:CREATE|MERGE|DELETE|create)\b/.test(text)

const NoGraph = () => (
  <>
    <PageHead title="Graph" />
    <div class="card">
      <Empty title="There is no graph yet" icon="graph">
        <p>
          A schema with relations (<code>rels</code>) makes one from its events; a client makes one with{' '}
          <code>POST /graph/films/triple</code>.
        </p>
        <HelpLink to="graph-language">How graphs are asked</HelpLink>
      </Empty>
    </div>
  </>
)

type AnsweredProps = {
  readonly shown: GraphShown
  readonly isRunning: boolean
  readonly onSeen: (drawing: Pick<Drawing, 'nodes' | 'links'>) => void
  readonly onAsk: (text: string) => void
  readonly onMore: () => void
}

/** The answer, drawn beside its table; a click on a node or a row brings the node's neighbours. */
function Answered({ shown, isRunning, onSeen, onAsk, onMore }: AnsweredProps) {
  const { graph, text, answer, took_ms } = shown
  const rows = useMemo(() => rowsOf(answer), [answer])
  const whole = useMemo(() => drawingOf(answer, text), [answer])
  const [grown, setGrown] = useState<Pick<Drawing, 'nodes' | 'links'>>(noDrawing)
  const [selected, setSelected] = useState<string>()
  const [around, setAround] = useState<Around>()
  const { drawing, numLeftOut } = useMemo(() => bounded(joined(whole, grown), max), [whole, grown])
  const isFirst = useRef(true)

  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else {
      setGrown(noDrawing)
      setSelected(undefined)
    }
  }, [answer])
  useEffect(() => onSeen(joined(whole, grown)), [whole, grown])
  const node = selected === undefined ? undefined : joined(whole, grown).nodes.find(({ id }) => id === selected)
  useEffect(() => {
    setAround(undefined)
    if (!node) return
    const gone = new AbortController()
    askAround(graph, node, gone.signal).then(
      (found) => {
        if (gone.signal.aborted) return
        setAround(found)
        setGrown((before) => joined({ ...noDrawing, ...before }, found.drawing))
      },
      (error: unknown) => {
        // The node stays chosen; its neighbours are not known.
        if (!(gone.signal.aborted || error instanceof Refusal || error instanceof Unreachable)) throw error
      },
    )
    return () => gone.abort()
  }, [selected, graph])

  const notes = 'error' in answer ? (answer.error ?? []) : []
  const isDrawn = drawing.nodes.length > 0
  const hasRows = rows.rows.length > 0
  return (
    <section class="card result" aria-label="Answer">
      <header>
        <h2 class="grow">
          <span role="status">
            {countOf(answer)}
            {'more_data_to_come' in answer && ', and more'}
          </span>
          <span class="soft small">{` in ${formatDuration(took_ms / 1000)}`}</span>
        </h2>
        {'more_data_to_come' in answer && (
          <button type="button" class="button small" disabled={isRunning} onClick={onMore}>
            More
          </button>
        )}
      </header>
      {numLeftOut.nodes + numLeftOut.links > 0 && (
        <p class="note" role="note">
          The picture has the {formatCount(drawing.nodes.length)} nodes with the most relations: it leaves out{' '}
          {formatCount(numLeftOut.nodes)} nodes and {formatCount(numLeftOut.links)} relations. The table has all.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {!isDrawn && hasRows && (
        <p class="note plain">
          These are columns, which have no picture: a query without RETURN, or with RETURN *, is drawn.
        </p>
      )}
      <div class={isDrawn && hasRows ? 'graph-answer' : 'graph-answer alone'}>
        {isDrawn && (
          <div class="graph-picture">
            <ForceGraph label="The answer" drawing={drawing} selected={selected} onSelect={setSelected} />
            {node && (
              <NodePanel
                node={node}
                drawing={drawing}
                around={around}
                onAsk={onAsk}
                onClose={() => setSelected(undefined)}
              />
            )}
          </div>
        )}
        {hasRows && (
          <ResultTable
            label="Rows of the answer"
            result={rows}
            {...(isDrawn && {
              onOpen: (row) => setSelected(nodeIdOf(rows, row)),
              isOpen: (row) => selected !== undefined && nodeIdOf(rows, row) === selected,
            })}
          />
        )}
      </div>
      {!isDrawn && !hasRows && (
        <Empty title={'msg' in answer ? 'Done' : 'Nothing matches'}>
          {'msg' in answer ? <p>The graph has changed.</p> : <p>No walk in {graph} matches the pattern.</p>}
        </Empty>
      )}
    </section>
  )
}
