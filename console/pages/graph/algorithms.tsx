import { useEffect, useState } from 'preact/hooks'
import type { AlgorithmStatusAnswer } from '../../api/calls.ts'
import { call, Refusal, Unreachable } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { TextField } from '../../parts/fields.tsx'
import { formatAgo, formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

type Name = AlgorithmStatusAnswer['algorithm']
type Status = AlgorithmStatusAnswer

const algorithms = [
  ['degree', 'Degree', 'how many relations a node has'],
  ['pagerank', 'PageRank', 'how often a walk along relations comes by'],
  ['components', 'Components', 'the connected part that a node is in'],
  ['communities', 'Communities', 'the community that a node is in, by Louvain'],
  ['similarity', 'Similarity', 'the nodes that share neighbours with it'],
] as const satisfies readonly (readonly [Name, string, string])[]

const steps = {
  waiting: 'Waits for another run',
  reading: 'Reads the graph',
  computing: 'Computes',
  writing: 'Writes the values',
} as const

const poll_ms = 700

type AlgorithmsProps = {
  readonly graph: string
  /** Shows a query by which the values are read. */
  readonly onAsk: (text: string) => void
}

/** Algorithms over the whole graph, or a part of it, with their progress. */
export function Algorithms({ graph, onAsk }: AlgorithmsProps) {
  const [labels, setLabels] = useState('')
  const [relations, setRelations] = useState('')
  const part = { labels: words(labels), relations: words(relations) }
  return (
    <section class="card" aria-label="Algorithms">
      <header>
        <h2>Algorithms</h2>
        <p class="soft small">Each gives every node a property, which queries then read.</p>
      </header>
      <div class="inside stack">
        <div class="algorithm-part">
          <TextField label="Only these labels" value={labels} onInput={setLabels} placeholder="all" isMono />
          <TextField label="Only these relations" value={relations} onInput={setRelations} placeholder="all" isMono />
        </div>
        <ul class="algorithms">
          {algorithms.map(([name, title, says]) => (
            <Algorithm key={`${graph} ${name}`} {...{ graph, name, title, says, part, onAsk }} />
          ))}
        </ul>
      </div>
    </section>
  )
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

type AlgorithmProps = AlgorithmsProps & {
  readonly name: Name
  readonly title: string
  readonly says: string
  readonly part: { readonly labels: readonly string[]; readonly relations: readonly string[] }
}

function Algorithm({ graph, name, title, says, part, onAsk }: AlgorithmProps) {
  const [status, setStatus] = useState<Status>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [turn, setTurn] = useState(0)
  const path = { graph, algorithm: name }

  useEffect(() => {
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(): Promise<void> {
      try {
        const found = await call('GET /graph/{graph}/algorithm/{algorithm}', { path, signal: gone.signal })
        if (gone.signal.aborted) return
        setStatus(found)
        if (found.state === 'running') timer = setTimeout(() => void look(), poll_ms)
      } catch (error) {
        if (gone.signal.aborted) return
        // It was not run yet.
        if (error instanceof Refusal) setStatus(undefined)
        else if (error instanceof Unreachable) timer = setTimeout(() => void look(), poll_ms * 4)
        else throw error
      }
    }
    void look()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [graph, name, turn])

  async function run(): Promise<void> {
    setRefusal(undefined)
    const body = {
      ...(part.labels.length > 0 && { labels: part.labels }),
      ...(part.relations.length > 0 && { relations: part.relations }),
    }
    try {
      setStatus(await call('POST /graph/{graph}/algorithm/{algorithm}', { path, query: { wait: 0 }, body }))
      setTurn((count) => count + 1)
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
      else if (!(error instanceof Unreachable)) throw error
    }
  }

  const isRunning = status?.state === 'running'
  return (
    <li>
      <div class="row spread">
        <div>
          <strong>{title}</strong> <span class="soft">{says}</span>
          <p class="soft small">{summaryOf(status)}</p>
        </div>
        <div class="row">
          {status?.state === 'done' && status.property !== undefined && (
            <button type="button" class="button small" onClick={() => onAsk(questionOf(name, status.property ?? name))}>
              Show
            </button>
          )}
          <button
            type="button"
            class="button small"
            disabled={isRunning || !may('write')}
            title={may('write') ? undefined : 'This needs the scope write'}
            aria-label={`Run ${title}`}
            onClick={() => void run()}
          >
            <Icon name="play" />
            Run
          </button>
        </div>
      </div>
      {isRunning && (
        <Progress
          label={steps[status.step ?? 'waiting']}
          share={status.step === 'waiting' ? undefined : status.progress}
        />
      )}
      {status?.state === 'failed' && <p class="fault">{status.error?.join(' ')}</p>}
      <RefusalBox refusal={refusal} />
    </li>
  )
}

function summaryOf(status: Status | undefined): string {
  if (status === undefined) return 'not run yet'
  if (status.state === 'running') {
    return status.nodes === undefined ? 'runs' : `runs over ${formatCount(status.nodes)} nodes`
  }
  if (status.state !== 'done') return status.state
  const { nodes = 0, components, communities, modularity, ts } = status
  const found = [
    `${formatCount(nodes)} nodes`,
    ...(components === undefined ? [] : [`${formatCount(components)} components`]),
    ...(communities === undefined ? [] : [`${formatCount(communities)} communities`]),
    ...(modularity === undefined ? [] : [`modularity ${numberText(modularity)}`]),
    ...(ts === undefined ? [] : [formatAgo(ts)]),
  ]
  return found.join(', ')
}

/** Groups count their nodes; scores are the highest first. */
const questionOf = (name: Name, property: string): string => {
  if (name === 'similarity') return `s=>(@n *); RETURN n.label, n.name, n.${property} LIMIT 100`
  if (name === 'components' || name === 'communities')
    return `s=>(@n *); RETURN n.${property} AS ${property}, COUNT(*) AS nodes SORT_DESC nodes LIMIT 100`
  return `s=>(@n *); RETURN n.label, n.name, n.${property} AS ${property} SORT_DESC ${property} LIMIT 100`
}
