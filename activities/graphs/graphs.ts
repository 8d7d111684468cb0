import { fault } from '../../base/faults.ts'
import type { Exclusively } from '../../base/mutex.ts'
import { createPool } from '../../base/pool.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { drain_ms } from '../../infra/log/delivery.ts'
import type { Logger } from '../../infra/logger.ts'
import { asideGraph, dropAsideDatabase } from '../../sql/aside.ts'
import {
  compileGraphId,
  compileGraphs,
  decodeNode,
  decodeTriple,
  type Hears,
  parseStatement,
  scoreInput,
} from '../../sql/graph/index.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import { forgetGraph } from '../../sql/schema/ddl/gone.ts'
import { createScoreInput, dropGraph } from '../../sql/schema/ddl/graph/graph.ts'
import type { Deletions, Restorer, Undo } from '../undo/deletions.ts'
import { missingGraph } from './absent.ts'
import { nodeAddition, tripleAddition } from './additions.ts'
import { createGraphAnswers, type GraphRequest } from './answers.ts'
import { createNodeChanges, type NodeChangesDeps } from './changes/node-changes.ts'
import { bringGraphBack, setGraphAside } from './graph-aside.ts'
import type { ReadingClickHouse, Seal } from './queries/answer-query.ts'
import { createGraphQueries } from './queries/graph-queries.ts'
import type { GraphSink } from './sink.ts'
import { countGraph, graphStatistics } from './statistics.ts'
import type { GraphThreads } from './threads/open-graph-threads.ts'
import type { Addition } from './writer.ts'
import { createGraphWriters, freely, type GraphWritersDeps, type Making } from './writers.ts'

/** The graphs: made and dropped, written to, and asked. */

export type GraphsDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly sink: GraphSink
  readonly seal: Seal
  readonly schemaOf?: GraphWritersDeps['schemaOf']
  /** The parts of the log whose events bring triples into a graph. */
  readonly streamQueues?: (graph: string) => readonly string[]
  /** Whether the tables are spread over the nodes of a cluster. */
  readonly isCluster?: boolean
  readonly exclusively: Exclusively
  /** Makes merges and deletions one at a time, whichever process they are in. */
  readonly merging: Exclusively
  readonly unhindered?: NodeChangesDeps['unhindered']
  readonly quietly?: NodeChangesDeps['quietly']
  /** Whether other processes change graphs, too. */
  readonly isShared?: boolean
  readonly threads: GraphThreads
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
  readonly logger: Logger
}

/** The graph that had the name when something began. */
export type GraphId = { readonly graph: string; readonly id: string }

const searchesAtOnce = 2

export function createGraphs({
  clickhouse,
  clock,
  sink,
  seal,
  schemaOf = () => undefined,
  streamQueues = () => [],
  isCluster = false,
  exclusively,
  merging,
  unhindered = (_, work) => work(),
  quietly,
  isShared = false,
  threads,
  deletions,
  logger,
}: GraphsDeps) {
  const isFed = (graph: string): boolean => schemaOf(graph) !== undefined
  const changes = createNodeChanges({
    ...{ clickhouse, clock, schemaOf, merging, unhindered, quietly, isShared, logger },
    exists: (graph) => writers.exists(graph),
  })
  const writers = createGraphWriters({
    ...{ clickhouse, clock, sink, schemaOf, exclusively, settle: changes.settle },
    settleDeletion: (graph) => deletions.settle('graph', graph),
  })
  const { exists } = writers
  const searches = createPool(
    Array.from({ length: searchesAtOnce }, (_, place) => place),
    {
      max: 1_000,
      patience_ms: 30_000,
      refuse: () => fault('limited', 'searches for paths wait in a long line; try again', { retryAfter: 5 }),
    },
  )

  const queries = createGraphQueries({ seal, isCluster, threads, searches })
  const answer = createGraphAnswers({ clickhouse, clock, writers, changes, queries, isFed })

  const list = async (): Promise<string[]> =>
    (await clickhouse.rows<{ name: string }>(compileGraphs)).map(({ name }) => name)

  /** Which graph has the name now: one that is dropped and made again has another. */
  const id = async (graph: string): Promise<string | undefined> =>
    (await clickhouse.rows<{ id: string }>(compileGraphId(graph)))[0]?.id

  async function add(graph: string, addition: Addition, making: Making): Promise<void> {
    if (!isFed(graph)) checkGraphName(graph)
    await writers.add(graph, (writer) => writer.write(addition), making)
  }

  /** Sets a graph aside, with all additions that were acknowledged. */
  async function setAside(graph: string, aside: string): Promise<void> {
    await changes.settle(graph)
    await writers.end(graph, async () => {
      if (await exists(graph)) await sink.drained(graph, drain_ms)
      await setGraphAside(clickhouse, graph, aside)
    })
  }

  /** `redelivered`: the graph is a schema's whose events may come again. */
  const bringBack = (graph: string, aside: string, redelivered?: true): Promise<void> =>
    bringGraphBack(clickhouse, graph, aside, redelivered)

  /** Throws where the graph cannot go by itself. */
  function checkDrop(graph: string): void {
    const schema = schemaOf(graph)
    if (schema !== undefined)
      throw fault('conflict', `the graph ${graph} belongs to the schema ${schema.name} and goes with it`)
    checkGraphName(graph)
  }

  return {
    /** Ends the changes that a crash left half-done. */
    open: changes.endAll,

    async close(): Promise<void> {
      changes.close()
      await writers.close()
    },

    /** Whether it was made; one that is there stays as it is. */
    async make(graph: string): Promise<boolean> {
      if (!isFed(graph)) checkGraphName(graph)
      if (await exists(graph)) return false
      await writers.make(graph)
      return true
    },

    /** A fault `missing` where there is none; the graph of a schema is there from now on. */
    async expect(graph: string): Promise<void> {
      if (await exists(graph)) return
      if (!isFed(graph)) throw missingGraph(graph)
      await writers.make(graph)
    },

    id,

    /** Gives nodes of the graph `id` the values in `lines` (see `scoreInput`), all at once, whatever their properties were. */
    async writeScores({ graph, id: meant }: GraphId, lines: Buffer): Promise<void> {
      const insert = async (): Promise<void> => {
        if (meant !== (await id(graph))) throw missingGraph(graph)
        await runAll(clickhouse, createScoreInput(graph))
        await clickhouse.insert({ table: scoreInput(graph), rows: lines })
      }
      await writers.change(graph, (writer) => writer.alone(insert))
    },

    list,

    /** Parts of the log whose entries a query of the graph must see. */
    queues: (graph: string): string[] => [...streamQueues(graph), ...sink.queues(graph)],

    /** Resolves once additions to the graphs that a text names are in their tables, or soon where that takes long. */
    async ready(text: string): Promise<void> {
      const named = sink.waiting().filter((graph) => text.includes(graph))
      await Promise.allSettled(named.map((graph) => sink.drained(graph)))
    },

    /** The statistics of the graphs that are shown. */
    async statistics(isShown: (graph: string) => boolean = () => true) {
      const shown = (await list()).filter(isShown)
      await Promise.all(shown.map((graph) => sink.drained(graph)))
      return graphStatistics(clickhouse, shown)
    },

    /** Its nodes and relations; a fault `missing` where there is none, but for a schema's, which may come yet. */
    async count(graph: string): Promise<number> {
      await sink.drained(graph)
      const found = await countGraph(clickhouse, graph)
      if (found === undefined && !isFed(graph)) throw missingGraph(graph)
      return found ?? 0
    },

    checkDrop,

    /** With `undo` its nodes and relations are kept. */
    async drop(graph: string, undo?: Undo): Promise<Deletion | undefined> {
      checkDrop(graph)
      return exclusively(async () => {
        if (!(await exists(graph))) throw missingGraph(graph)
        if (undo) {
          await sink.drained(graph, drain_ms)
          return deletions.setAside({ kind: 'graph', name: graph, body: '' }, undo)
        }
        await writers.end(graph, () => runAll(clickhouse, [...dropGraph(graph), ...forgetGraph(graph)]))
        return undefined
      })
    },

    setAside,
    bringBack,
    restorer: {
      exclusively,
      setAside: ({ name, id }) => setAside(name, id),
      async checkFree({ name }) {
        if (schemaOf(name) !== undefined || (await exists(name)))
          throw fault('conflict', `there is a graph ${name} again; the kept one comes back once the name is free`)
      },
      async bringBack({ name, id }) {
        await bringBack(name, id)
        await clickhouse.run(dropAsideDatabase(id))
      },
      remove: ({ id }) => runAll(clickhouse, [dropAsideDatabase(id), ...forgetGraph(asideGraph(id))]),
    } satisfies Restorer,

    /** Forgets a graph that went with its schema. */
    gone: (graph: string): Promise<void> => writers.end(graph, async () => {}),

    /** `body`: the JSON text of a node, `{"label", "name", "prop"}`. */
    addNode: async (graph: string, body: string, making: Making = freely, notes?: Hears): Promise<void> =>
      add(graph, nodeAddition(decodeNode(body, notes)), making),

    addTriple: async (graph: string, body: string, making: Making = freely, notes?: Hears): Promise<void> =>
      add(graph, tripleAddition(decodeTriple(body, notes)), making),

    /** The answer's JSON text, read by `on`. A graph that is not there is a fault `missing`. */
    answer: async (request: GraphRequest, on: ReadingClickHouse = clickhouse): Promise<string> =>
      answer(request, request.statement ?? parseStatement(request.text), on),
  }
}

export type Graphs = ReturnType<typeof createGraphs>

/** Throws a `Refusal` of a name that no client can give to a graph. */
function checkGraphName(graph: string): void {
  const problem = checkName(graph) ?? (/__|_rel$/.test(graph) ? 'must not contain __ nor end in _rel' : undefined)
  if (problem !== undefined) throw new Refusal(`the graph's name ${problem}`)
}
