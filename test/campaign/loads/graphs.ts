import type { Random } from '../../support/random/random.ts'
import type { Outcome } from '../asking.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'

type Edge = { readonly sub: string; readonly obj: string; isAcknowledged: boolean }
/** Nodes of their own that one request merges, or deletes one of. */
type Change = {
  readonly kind: 'merge' | 'delete'
  readonly edges: readonly number[]
  /** The node that has the edges before a merge, and the one that has them after it. */
  readonly from: string
  readonly to: string
  outcome: 'none' | 'acknowledged' | 'unanswered'
}
type Row = { readonly id: number; readonly s: string; readonly o: string }

/** Nodes and relations by every way in, merges and deletions, in a graph of clients. */
export function createGraphs({ asker, generation }: LoadDeps): Load {
  const graph = `web${generation}`
  const edges = new Map<number, Edge>()
  const nodes = new Map<string, { readonly v: number; isAcknowledged: boolean }>()
  const changes: Change[] = []
  const firsts = new Map<string, number>()
  let made = 0

  const query = (process: number, body: string): Promise<Outcome> =>
    asker.once(process, { what: 'graph statements', method: 'POST', path: `/graph/${graph}/query`, body })
  const node = (name: string, prop: object = {}) => ({ label: name.split('_')[0], name, prop })
  const inText = (name: string, prop = ''): string => `(${name.split('_')[0]}:${name}${prop})`

  function expect(sub: string, obj: string): { id: number; edge: Edge } {
    const [id, edge] = [++made, { sub, obj, isAcknowledged: false }]
    edges.set(id, edge)
    return { id, edge }
  }

  async function chain(process: number, names: readonly string[]): Promise<{ ids: number[]; outcome: Outcome }> {
    const parts = names.slice(1).map((obj, i) => expect(names[i] ?? '', obj))
    const links = parts.map(({ id, edge }) => `-[R {"id":${id}}]->${inText(edge.obj)}`)
    const outcome = await query(process, `CREATE ${inText(names[0] ?? '', ` {"v":${++made}}`)}${links.join('')}`)
    if (outcome.answer?.status === 200) for (const { edge } of parts) edge.isAcknowledged = true
    return { ids: parts.map(({ id }) => id), outcome }
  }

  async function triple(process: number, sub: string, obj: string): Promise<void> {
    const { id, edge } = expect(sub, obj)
    const body = { sub: node(sub), pred: { rel: 'R', prop: { id } }, obj: node(obj) }
    const { answer } = await asker.once(process, {
      what: 'triples',
      method: 'POST',
      path: `/graph/${graph}/triple`,
      body,
    })
    edge.isAcknowledged = answer?.status === 200
  }

  async function single(process: number): Promise<void> {
    const [name, v] = [`N_${++made}`, made]
    nodes.set(name, { v, isAcknowledged: false })
    const request = { what: 'nodes', method: 'POST', path: `/graph/${graph}/node`, body: node(name, { v }) }
    const { answer } = await asker.once(process, request)
    nodes.set(name, { v, isAcknowledged: answer?.status === 200 })
  }

  async function change(process: number, kind: Change['kind']): Promise<void> {
    const at = ++made
    const [from, to] = [`M_${at}s`, `M_${at}p`]
    const first = await chain(process, [to, `M_${at}x`])
    const second = await chain(process, [`M_${at}y`, from, `M_${at}z`])
    if (!first.outcome.isAnswered || !second.outcome.isAnswered) return
    const asked: Change = { kind, edges: second.ids, from, to, outcome: 'none' }
    changes.push(asked)
    const text = kind === 'merge' ? `MERGE (M:${to})<-[*]-(M:${from})` : `DELETE (M:${from})`
    const { answer, isAnswered } = await query(process, text)
    asked.outcome = isAnswered && answer?.status === 200 ? 'acknowledged' : 'unanswered'
  }

  /** Where an edge is after its change is done, undefined where it is gone. */
  const moved = ({ kind, from, to }: Change, { sub, obj }: Edge): { sub: string; obj: string } | undefined => {
    const other = (name: string): string => (name === from ? to : name)
    return kind === 'merge' ? { sub: other(sub), obj: other(obj) } : undefined
  }

  /** A change is done wholly, where it was acknowledged, or not at all. */
  function checkChange(one: Change, rows: ReadonlyMap<number, Row>, there: ReadonlySet<string>): Finding[] {
    const isAs = (id: number, wanted: { sub: string; obj: string } | undefined): boolean => {
      const row = rows.get(id)
      return wanted === undefined ? row === undefined : row?.s === wanted.sub && row.o === wanted.obj
    }
    const ofEdges = one.edges.flatMap((id) => {
      const edge = edges.get(id)
      return edge ? [{ id, edge }] : []
    })
    const isDone = ofEdges.every(({ id, edge }) => isAs(id, moved(one, edge))) && !there.has(one.from)
    const isUndone = ofEdges.every(({ id, edge }) => isAs(id, edge)) && there.has(one.from)
    if (isDone || (one.outcome !== 'acknowledged' && isUndone)) return []
    const shown = ofEdges.map(({ id }) => JSON.stringify(rows.get(id) ?? { id })).join()
    const what = `${one.kind} of ${one.from} in ${graph} (${one.outcome}): ${shown}, the node is ${there.has(one.from) ? '' : 'not '}there`
    return [one.outcome === 'acknowledged' ? lost(what) : wrong(what)]
  }

  async function ask(text: string): Promise<{ rows: Row[] }> {
    return asker.reader.ok(asker.reader.post(`/graph/${graph}/query`, text))
  }

  function checkEdges(rows: readonly Row[], findings: Finding[]): ReadonlyMap<number, Row> {
    const changed = new Set(changes.flatMap(({ edges: ids }) => ids))
    const there = new Map<number, Row>()
    for (const row of rows) {
      const wanted = edges.get(row.id)
      if (there.has(row.id)) findings.push(doubled(`relation ${row.id} of ${graph}`))
      if (!wanted) findings.push(wrong(`relation ${JSON.stringify(row)} was never sent to ${graph}`))
      else if (!changed.has(row.id) && (row.s !== wanted.sub || row.o !== wanted.obj))
        findings.push(wrong(`relation ${JSON.stringify(row)} of ${graph} was sent as ${JSON.stringify(wanted)}`))
      there.set(row.id, row)
    }
    for (const [id, { isAcknowledged }] of edges) {
      if (isAcknowledged && !changed.has(id) && !there.has(id)) findings.push(lost(`relation ${id} of ${graph}`))
    }
    return there
  }

  function checkNodes(all: readonly { n: string; v?: number }[], findings: Finding[]): ReadonlySet<string> {
    const there = new Set<string>()
    for (const { n, v } of all) {
      if (there.has(n)) findings.push(doubled(`node ${n} of ${graph}`))
      there.add(n)
      const wanted = nodes.get(n)?.v ?? firsts.get(n)
      if (wanted !== undefined && v !== wanted)
        findings.push(wrong(`node ${n} of ${graph} has ${v}, and had ${wanted} first`))
      if (v !== undefined) firsts.set(n, v)
    }
    for (const [name, { isAcknowledged }] of nodes) {
      if (isAcknowledged && !there.has(name)) findings.push(lost(`node ${name} of ${graph}`))
    }
    return there
  }

  const shared = (random: Random): string => `S_${random.whole(0, 20)}`
  return {
    async open() {
      await asker.surely(0, { what: 'graphs', method: 'POST', path: `/graph/${graph}`, body: '' })
    },
    async act(random) {
      const process = random.whole(0, asker.processes - 1)
      const kind = random.pick(['chain', 'chain', 'triple', 'triple', 'node', 'merge', 'delete'] as const)
      if (kind === 'chain') await chain(process, [shared(random), shared(random), shared(random)])
      else if (kind === 'triple') await triple(process, shared(random), shared(random))
      else if (kind === 'node') await single(process)
      else await change(process, kind)
    },
    async check() {
      const findings: Finding[] = []
      const { rows } = await ask('s=>(@s *)-[@r R]->(@o *); RETURN r.id AS id, s.name AS s, o.name AS o')
      const found = await ask('s=>(@n *); RETURN n.name AS n, n.v AS v')
      const byId = checkEdges(rows, findings)
      const there = checkNodes(found.rows as unknown as { n: string; v?: number }[], findings)
      for (const { s, o } of rows) {
        for (const name of [s, o])
          if (!there.has(name)) findings.push(lost(`node ${name} of ${graph}, which has relations`))
      }
      for (const one of changes) findings.push(...checkChange(one, byId, there))
      return findings
    },
  }
}
