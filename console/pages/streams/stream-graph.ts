/** The picture of a schema, out of what `GET /stream/S/depgraph?details=1` answers. */
import type { DependenciesAnswer } from '../../api/calls.ts'
import { streamKinds } from '../../api/codes.ts'
import type { PictureEdge, PictureNode } from '../../parts/picture-layout.ts'

export type StreamNode = DependenciesAnswer['node_info'][number]

export type StreamGraph = { readonly nodes: readonly PictureNode[]; readonly edges: readonly PictureEdge[] }

export type StreamKind = (typeof streamKinds)[string]

export const kindOf = (type: number): StreamKind => streamKinds[type] ?? 'input'

export const kindTexts: Readonly<Record<string, string>> = {
  input: 'Events that are posted',
  filter: 'Copies of events that match',
  join: 'Rows of joins, patterns and sessions',
  entity: 'A row for each key',
  graph: 'Graph',
  model: 'Model',
  notification: 'Notification',
  table: 'Table',
}

/** Ids of nodes that are no streams have a colon, which no stream's name has. */
const idOf = {
  graph: (name: string): string => `graph:${name}`,
  model: (name: string): string => `model:${name}`,
  notification: (id: number): string => `notification:${id}`,
  table: (name: string): string => `table:${name}`,
}

/** `events` are the numbers of events by stream, where they are known. */
export function graphOf(answer: DependenciesAnswer, events: ReadonlyMap<string, number> = new Map()): StreamGraph {
  const { schema, graph, node_info } = answer
  const nodes = new Map<string, PictureNode>()
  const edges = new Map<string, PictureEdge & { readonly labels: Set<string> }>()
  const path = `/console/streams/${encodeURIComponent(schema)}`

  const add = (node: PictureNode) => {
    if (!nodes.has(node.id)) nodes.set(node.id, node)
  }
  const link = (from: string, to: string, kind: string, label: string) => {
    const key = JSON.stringify([from, to, kind])
    const there = edges.get(key)
    if (there) there.labels.add(label)
    else edges.set(key, { from, to, kind, labels: new Set([label]) })
  }
  const notify = (from: string, id: number | undefined, label: string) => {
    if (id === undefined) return
    add({
      id: idOf.notification(id),
      title: `Notification ${id}`,
      kind: 'notification',
      href: '/console/notifications',
    })
    link(from, idOf.notification(id), 'feeds', label)
  }

  for (const { node, type, state } of node_info) {
    const kind = kindOf(type)
    const count = events.get(node)
    const noun = kind === 'entity' ? 'keys' : kind === 'join' ? 'rows' : 'events'
    const says = [
      kind,
      ...(count === undefined ? [] : [`${countText(count)} ${noun}`]),
      ...(state === 0 ? ['off'] : []),
    ]
    add({
      id: node,
      title: node,
      detail: says.join(' · '),
      kind: state === 0 ? `${kind} node-off` : kind,
      href: `${path}/${encodeURIComponent(node)}`,
    })
  }
  for (const from of node_info) {
    const { node } = from
    for (const { name, ostm, notf } of from.filters ?? []) {
      if (ostm !== undefined) link(node, ostm, 'feeds', name)
      notify(node, notf, name)
    }
    for (const { name, rstm } of from.entities ?? []) link(node, rstm, 'feeds', name)
    for (const { name, rstm, ostm, notf } of [...(from.joins ?? []), ...(from.patterns ?? [])]) {
      if (ostm !== undefined) {
        link(node, ostm, 'feeds', name)
        if (rstm !== undefined && rstm !== node) link(rstm, ostm, 'feeds', name)
      }
      notify(node, notf, name)
    }
    for (const { name, ostm, notf } of from.sessions ?? []) {
      if (ostm !== undefined) link(node, ostm, 'feeds', `sessions by ${name}`)
      notify(node, notf, `sessions by ${name}`)
    }
    for (const { name, rstm } of from.references ?? []) {
      const isTable = rstm.includes('.')
      const [database = '', table = ''] = rstm.split('.')
      if (isTable) {
        add({
          id: idOf.table(rstm),
          title: rstm,
          detail: 'table',
          kind: 'table',
          href: `/console/tables/${encodeURIComponent(database)}/${encodeURIComponent(table)}`,
        })
      }
      if (rstm !== node) link(isTable ? idOf.table(rstm) : rstm, node, 'looks', name)
    }
    for (const { attr, model, algo } of from.predictions ?? []) {
      const id = idOf.model(model)
      const says = ['model', ...(algo === undefined ? [] : [algo])].join(' · ')
      const href = `/console/models/${encodeURIComponent(schema)}/${encodeURIComponent(model)}`
      add({ id, title: model, detail: says, kind: 'model', href })
      link(id, node, 'looks', attr)
    }
    if (graph !== undefined) {
      const gives = [
        ...(from.relations ?? []).map(({ rel }) => rel),
        ...(from.nodes ?? []).map(({ label }) => `(${label})`),
      ]
      if (gives.length > 0) {
        const href = `/console/graph?graph=${encodeURIComponent(graph)}`
        add({ id: idOf.graph(graph), title: graph, detail: 'graph', kind: 'graph', href })
      }
      for (const label of gives) link(node, idOf.graph(graph), 'feeds', label)
    }
  }
  // A condition over a moving time makes a stream depend on another one, and has no name of its own.
  for (const { node, children } of node_info) {
    for (const child of children) {
      const isThere = [...edges.values()].some(({ from, to }) => from === node && to === child)
      if (!isThere) link(node, child, 'looks', '')
    }
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()].map(({ labels, ...edge }) => ({ ...edge, label: [...labels].join(', ') })),
  }
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const countText = (count: number): string => (count < 10_000 ? String(count) : short.format(count))

export type Folding = {
  /** Nodes whose children are shown. */
  readonly unfolded: ReadonlySet<string>
  readonly search: string
  readonly max: number
}

/** A node that stands for those that had no room. */
export const restId = 'rest:'

/**
 * The part of a graph that is shown: all of a small one; of a large one the nodes that nothing feeds, and what was unfolded;
 * with a search the nodes that it finds, all before them, and their children.
 */
export function folded(graph: StreamGraph, { unfolded, search, max }: Folding): StreamGraph {
  const wanted = search.trim().toLowerCase()
  if (graph.nodes.length <= max && wanted === '') return graph
  const children = new Map<string, string[]>(graph.nodes.map(({ id }) => [id, []]))
  const parents = new Map<string, string[]>(graph.nodes.map(({ id }) => [id, []]))
  for (const { from, to } of graph.edges) {
    children.get(from)?.push(to)
    parents.get(to)?.push(from)
  }
  const shown = new Set<string>()
  let numLeft = 0
  const show = (id: string): boolean => {
    if (shown.size >= max && !shown.has(id)) return false
    shown.add(id)
    return true
  }

  if (wanted === '') {
    const first = graph.nodes.filter(({ id }) => parents.get(id)?.length === 0)
    const room = unfolded.has(restId) ? graph.nodes.length : max
    for (const { id } of first) {
      if (shown.size < room) shown.add(id)
      else numLeft++
    }
    for (const id of unfolded) {
      if (!shown.has(id)) continue
      for (const child of children.get(id) ?? []) shown.add(child)
    }
  } else {
    const found = graph.nodes.filter(({ title }) => title.toLowerCase().includes(wanted))
    const waiting = found.map(({ id }) => id)
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (shown.has(id)) continue
      if (!show(id)) {
        numLeft++
        continue
      }
      waiting.push(...(parents.get(id) ?? []))
    }
    for (const { id } of found) for (const child of children.get(id) ?? []) show(child)
    for (const id of unfolded) if (shown.has(id)) for (const child of children.get(id) ?? []) shown.add(child)
  }

  const nodes = graph.nodes
    .filter(({ id }) => shown.has(id))
    .map((node) => {
      const numHidden = numBehind(node.id, children, shown)
      return numHidden > 0 ? { ...node, numHidden } : node
    })
  const rest: readonly PictureNode[] =
    numLeft > 0 ? [{ id: restId, title: `${numLeft} more`, detail: 'click to show them', kind: 'rest' }] : []
  return {
    nodes: [...nodes, ...rest],
    edges: graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
  }
}

/** How many nodes that are not shown come after this one. */
function numBehind(id: string, children: ReadonlyMap<string, readonly string[]>, shown: ReadonlySet<string>): number {
  const hidden = new Set<string>()
  const waiting = (children.get(id) ?? []).filter((child) => !shown.has(child))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (hidden.has(next)) continue
    hidden.add(next)
    waiting.push(...(children.get(next) ?? []).filter((child) => !shown.has(child)))
  }
  return hidden.size
}
