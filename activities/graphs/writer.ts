/** The one writer of a graph. Additions that come together are one commit, answered once it is safe. */

import { createGroupCommit } from '../../base/group-commit.ts'
import type { Clock } from '../../infra/clock.ts'
import { drain_ms } from '../../infra/log/delivery.ts'
import { type NewNode, type NewTriple, nodeLines, tripleLine } from '../../sql/graph/index.ts'
import type { GraphSink } from './sink.ts'

export type Addition = { readonly nodes: readonly NewNode[]; readonly triples: readonly NewTriple[] }

const maxOperations = 4_096
const maxBytes = 4 * 1024 * 1024

const sizeOf = ({ nodes, triples }: Addition): number =>
  [...nodes, ...triples].reduce(
    (size, { properties }) => properties.reduce((all, [name, value]) => all + name.length + value.length, size + 100),
    0,
  )

export function createGraphWriter({
  sink,
  clock,
  graph,
  settle,
}: {
  sink: Pick<GraphSink, 'write' | 'drained'>
  clock: Clock
  graph: string
  /** Ends an earlier change of the graph that was left half-done. */
  settle: () => Promise<void>
}) {
  async function commit(additions: readonly Addition[]): Promise<readonly true[]> {
    await settle()
    const nodes: string[] = []
    const triples: string[] = []
    let rows = 0
    for (const addition of additions) {
      for (const node of addition.nodes) {
        nodes.push(nodeLines(node, clock.next()))
        rows += 1 + node.properties.length
      }
      for (const triple of addition.triples) triples.push(tripleLine(triple, clock.next()))
      rows += addition.triples.length
    }
    await sink.write(graph, { nodes: nodes.join(''), triples: triples.join(''), rows })
    return additions.map(() => true)
  }

  const group = createGroupCommit<Addition, true>({ commit, sizeOf, maxOperations, maxBytes })
  return {
    ...group,
    /** Runs `work` on tables that hold all that came before it. */
    alone: (work: () => Promise<void>): Promise<void> =>
      group.alone(async () => {
        await settle()
        await sink.drained(graph, drain_ms)
        await work()
      }),
  }
}

export type GraphWriter = ReturnType<typeof createGraphWriter>
