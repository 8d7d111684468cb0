/** The ways by which additions come into the tables of their graph. */
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { EventLog, Feeder } from '../../infra/log/port.ts'
import { nodeInput, tripleInput } from '../../sql/graph/index.ts'
import { graphOfQueue, graphQueue } from '../../sql/schema/names.ts'

/** Lines of one commit (see `nodeLines` and `tripleLine`); `rows` is how many they are. */
export type AdditionLines = { readonly nodes: string; readonly triples: string; readonly rows: number }

export type GraphSink = {
  /** Resolves once the lines are safe. */
  write(graph: string, lines: AdditionLines): Promise<void>
  /** The parts of the log in which lines of the graph may wait. */
  queues(graph: string): string[]
  /** The graphs of which lines may wait. */
  waiting(): string[]
  /** Resolves when the tables hold all that was written before; fault `late` after `timeout_ms`. */
  drained(graph: string, timeout_ms?: number): Promise<void>
  /** Forgets waiting lines of a graph that is gone. */
  forget(graph: string): Promise<void>
}

/** Each commit is an insert of nodes and one of triples, on the disk when it resolves: any process sees it from then on. */
export const createDirectSink = (clickhouse: ClickHouse): GraphSink => ({
  /** Nodes go first, so that no triple is without its ends. */
  async write(graph, { nodes, triples }) {
    await clickhouse.insert({ table: nodeInput(graph), rows: Buffer.from(nodes) })
    if (triples !== '') await clickhouse.insert({ table: tripleInput(graph), rows: Buffer.from(triples) })
  },
  queues: () => [],
  waiting: () => [],
  async drained() {},
  async forget() {},
})

export type LoggedSinkDeps = {
  readonly log: Pick<EventLog, 'append'>
  readonly feeder: Pick<Feeder, 'pace' | 'queues' | 'caughtUp' | 'forget'>
}

/** Where Weir is one process: lines are safe in the log, as events are, and the feeder inserts many commits at a time. */
export const createLoggedSink = ({ log, feeder }: LoggedSinkDeps): GraphSink => ({
  async write(graph, { nodes, triples, rows }) {
    await feeder.pace()
    await log.append(graphQueue(graph), Buffer.from(nodes + triples), rows)
  },
  queues: (graph) => [graphQueue(graph)],
  waiting: () => [...feeder.queues()].flatMap((queue) => graphOfQueue(queue) ?? []),
  drained: (graph, timeout_ms) => feeder.caughtUp([graphQueue(graph)], timeout_ms),
  forget: (graph) => feeder.forget(graphQueue(graph)),
})
