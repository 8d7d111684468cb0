/** The one writer of a graph. What comes together is one insert of nodes and one of triples, answered once on disk. */
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { type NewNode, type NewTriple, nodeInput, nodeLines, tripleInput, tripleLine } from '../../sql/graph/index.ts'
import { createGroupCommit } from '../tables/group-commit.ts'

export type Addition = { readonly nodes: readonly NewNode[]; readonly triples: readonly NewTriple[] }

const mostOperations = 4_096
const mostBytes = 16 * 1024 * 1024

const sizeOf = ({ nodes, triples }: Addition): number =>
  [...nodes, ...triples].reduce(
    (size, { properties }) => properties.reduce((all, [name, value]) => all + name.length + value.length, size + 100),
    0,
  )

export function createGraphWriter({
  clickhouse,
  clock,
  graph,
  settle,
}: {
  clickhouse: ClickHouse
  clock: Clock
  graph: string
  /** Ends what an earlier change of the graph has left half-done. */
  settle: () => Promise<void>
}) {
  /** Nodes go first, so that no triple is without its ends. */
  async function commit(additions: readonly Addition[]): Promise<readonly true[]> {
    await settle()
    const nodes: string[] = []
    const triples: string[] = []
    for (const addition of additions) {
      for (const node of addition.nodes) nodes.push(nodeLines(node, clock.next()))
      for (const triple of addition.triples) triples.push(tripleLine(triple, clock.next()))
    }
    await clickhouse.insert({ table: nodeInput(graph), rows: Buffer.from(nodes.join('')) })
    if (triples.length > 0) await clickhouse.insert({ table: tripleInput(graph), rows: Buffer.from(triples.join('')) })
    return additions.map(() => true)
  }

  const group = createGroupCommit<Addition, true>({ commit, sizeOf, mostOperations, mostBytes })
  return {
    ...group,
    alone: (work: () => Promise<void>): Promise<void> =>
      group.alone(async () => {
        await settle()
        await work()
      }),
  }
}

export type GraphWriter = ReturnType<typeof createGraphWriter>
