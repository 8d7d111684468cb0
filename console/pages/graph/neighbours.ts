/** The neighbours of a node: asked for when it is clicked. */

import type { Drawing, DrawnNode } from '../../parts/force-graph/drawing.ts'
import { askGraph } from './ask-graph.ts'
import { walkDrawing, walkOf } from './drawn-answer.ts'
import { patternOf } from './pattern.ts'

/** So many relations out of a node and into it are drawn. */
export const maxNeighbours = 60

export type Around = {
  readonly properties: Readonly<Record<string, unknown>>
  readonly drawing: Pick<Drawing, 'nodes' | 'links'>
  readonly isCut: boolean
}

export async function askAround(graph: string, node: DrawnNode, signal: AbortSignal): Promise<Around> {
  const ask = (text: string) => askGraph({ graph, text, signal })
  const end = `; RETURN * LIMIT ${maxNeighbours}`
  const [own, out, into] = await Promise.all([
    ask(`s=>${patternOf(node)}`),
    ask(`s=>${patternOf(node)}-[*]->(*)${end}`),
    ask(`s=>${patternOf(node)}<-[*]-(*)${end}`),
  ])
  const triples = [out, into].flatMap((answer) => ('triple' in answer ? answer.triple : []))
  const [found = {}] = 'nodes' in own ? own.nodes : []
  const { label, name, ...properties } = found as Readonly<Record<string, unknown>> // a node's own members
  return {
    properties,
    drawing: walkDrawing(triples.map(walkOf)),
    isCut: [out, into].some((answer) => 'more_data_to_come' in answer),
  }
}
