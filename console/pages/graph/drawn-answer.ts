/** The answer to a graph query as a drawing, and as rows of a table. */
import type { GraphAnswer } from '../../api/calls.ts'
import {
  type Drawing,
  type DrawnLink,
  type DrawnNode,
  idOf,
  keyOf,
  noDrawing,
} from '../../parts/force-graph/drawing.ts'
import { createRowTable, flattened, type Rows } from '../../parts/result/rows.ts'

type Members = Readonly<Record<string, unknown>>
type End = { readonly label: string; readonly name: string }
type Walked = { readonly from: End; readonly rel: string; readonly to: End }

/** Where in a query distance is measured: `#RADIUS_OF 5000 REL`. */
const radiusIn = (text: string): number | undefined => {
  const [, metres] = /#RADIUS_OF\s+(\d+(?:\.\d+)?)/.exec(text) ?? []
  return metres === undefined ? undefined : Number(metres)
}

export function drawingOf(answer: GraphAnswer, text: string): Drawing {
  if ('paths' in answer) return pathDrawing(answer.paths)
  if ('path_count' in answer) return pathDrawing([answer])
  if ('triple' in answer) return radiusDrawing(walkDrawing(answer.triple.map(walkOf)), text)
  if ('nodes' in answer) return { nodes: distinctNodes(answer.nodes.map(nodeOf)), links: [] }
  if (!('rows' in answer)) return noDrawing
  // RETURN * of a single node brings its label and name.
  const nodes = answer.rows.filter(({ label, name }) => typeof label === 'string' && typeof name === 'string')
  return { nodes: nodes.length === answer.rows.length ? distinctNodes(nodes.map(nodeOf)) : [], links: [] }
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
const nodeOf = ({ label, name }: Members): End => ({ label: text(label), name: text(name) })

/** A relation: without RETURN its ends are `Label:name`, with RETURN * name and label stand apart. */
export function walkOf(triple: Members): Walked {
  const rel = text(triple.rel ?? triple.pred)
  if ('sub_label' in triple || 'obj_label' in triple) {
    return {
      from: { label: text(triple.sub_label), name: text(triple.sub) },
      rel,
      to: { label: text(triple.obj_label), name: text(triple.obj) },
    }
  }
  return { from: endOf(triple.sub), rel, to: endOf(triple.obj) }
}

function endOf(value: unknown): End {
  if (typeof value === 'object' && value !== null) return nodeOf(value as Members) // members are looked at one by one
  const whole = text(value)
  const at = whole.indexOf(':')
  return at < 0 ? { label: '', name: whole } : { label: whole.slice(0, at), name: whole.slice(at + 1) }
}

export function walkDrawing(walks: readonly Walked[], isOnPath = false): Drawing {
  const links = new Map<string, DrawnLink>()
  for (const { from, rel, to } of walks) {
    const link = {
      from: idOf(from.label, from.name),
      to: idOf(to.label, to.name),
      rel,
      count: 1,
      ...(isOnPath && { isOnPath }),
    }
    const known = links.get(keyOf(link))
    links.set(keyOf(link), known ? { ...known, count: known.count + 1 } : link)
  }
  return { nodes: distinctNodes(walks.flatMap(({ from, to }) => [from, to])), links: [...links.values()] }
}

function distinctNodes(ends: readonly End[]): DrawnNode[] {
  const nodes = new Map<string, DrawnNode>()
  for (const { label, name } of ends) {
    const id = idOf(label, name)
    if (!nodes.has(id)) nodes.set(id, { id, label, name })
  }
  return [...nodes.values()]
}

type Path = { readonly nodes: readonly End[]; readonly edges: readonly { readonly rel: string }[] }

function pathDrawing(paths: readonly Path[]): Drawing {
  // Paths share relations: each is drawn once.
  const walks = new Map<string, Walked>()
  for (const { nodes, edges } of paths) {
    for (const [at, { rel }] of edges.entries()) {
      const [from, to] = [nodes[at], nodes[at + 1]]
      if (from && to) walks.set(JSON.stringify([from, rel, to]), { from, rel, to })
    }
  }
  const [first, last] = [paths[0]?.nodes[0], paths[0]?.nodes.at(-1)]
  const drawing = walkDrawing([...walks.values()], true)
  if (!first || !last) return drawing
  return { ...drawing, ends: [idOf(first.label, first.name), idOf(last.label, last.name)] }
}

/** Distance is measured from the subject: the one node that all relations start at. */
function radiusDrawing(drawing: Drawing, query: string): Drawing {
  const metres = radiusIn(query)
  const starts = new Set(drawing.links.map(({ from }) => from))
  const [id] = starts
  if (metres === undefined || starts.size !== 1 || id === undefined) return drawing
  const says = metres >= 1000 ? `within ${metres / 1000} km` : `within ${metres} m`
  return { ...drawing, around: { id, says } }
}

/** All of an answer as rows, and for each row the ids of its nodes. */
export function rowsOf(answer: GraphAnswer): Rows {
  const table = createRowTable()
  if ('paths' in answer) table.add(answer.paths.flatMap((path, at) => stepsOf(path, at + 1)))
  else if ('path_count' in answer) table.add(stepsOf(answer, undefined))
  else if ('triple' in answer) table.add(answer.triple.map((triple) => relationFirst(flattened(triple))))
  else if ('nodes' in answer) table.add(answer.nodes.map((node) => flattened(node)))
  else if ('rows' in answer) table.add(answer.rows.map((row) => flattened(row)))
  return table.now()
}

const shownFirst = ['sub', 'pred', 'rel', 'obj', 'sub_label', 'obj_label']

/** The relation itself before the properties of its ends, whose names come in any order. */
function relationFirst(triple: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const first = shownFirst.flatMap((name) => (name in triple ? [[name, triple[name]] as const] : []))
  return { ...Object.fromEntries(first), ...triple }
}

const stepsOf = ({ nodes, edges }: Path, path: number | undefined): Record<string, unknown>[] =>
  edges.map(({ rel }, at) => ({
    ...(path !== undefined && { path }),
    step: at + 1,
    sub: `${nodes[at]?.label}:${nodes[at]?.name}`,
    pred: rel,
    obj: `${nodes[at + 1]?.label}:${nodes[at + 1]?.name}`,
  }))

/** The node that a row of a table is about first; undefined where it names none. */
export function nodeIdOf({ columns }: Rows, row: readonly unknown[]): string | undefined {
  const object = Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))
  if ('sub' in object) {
    const { from } = walkOf(object)
    return idOf(from.label, from.name)
  }
  return 'label' in object && 'name' in object ? idOf(text(object.label), text(object.name)) : undefined
}

/** How many an answer has, in words. */
export function countOf(answer: GraphAnswer): string {
  const many = (count: number, one: string, more: string) => `${count.toLocaleString('en')} ${count === 1 ? one : more}`
  if ('path_count' in answer) return answer.path_count === 0 ? 'No path' : many(answer.path_count, 'path', 'paths')
  if ('triple' in answer) return many(answer.triple.length, 'relation', 'relations')
  if ('nodes' in answer) return many(answer.nodes.length, 'node', 'nodes')
  return 'rows' in answer ? many(answer.rows.length, 'row', 'rows') : 'Done'
}
