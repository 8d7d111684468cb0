/** The writers of all graphs: each comes with the tables of its graph. */

import { Fault } from '../../base/faults.ts'
import { createKeyedMutex, type Exclusively } from '../../base/mutex.ts'
import { type ClickHouse, isAbsent, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { compileGraphExists } from '../../sql/graph/index.ts'
import { createGraph } from '../../sql/schema/ddl/graph/graph.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { missingGraph } from './absent.ts'
import type { GraphSink } from './sink.ts'
import { createGraphWriter, type GraphWriter } from './writer.ts'

export type GraphWritersDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly sink: GraphSink
  /** The schema whose streams feed a graph: it goes with its schema, and not by itself. */
  readonly schemaOf: (graph: string) => Pick<Schema, 'name' | 'redelivered'> | undefined
  /** Graphs are made while no schema is: the graph of one that comes shares its name with no other. */
  readonly exclusively: Exclusively
  /** Ends an earlier change of a graph that was left half-done: no addition is written to the graph before. */
  readonly settle: (graph: string) => Promise<void>
  /** Ends a half-done deletion of a graph whose name is to be taken. */
  readonly settleDeletion?: (graph: string) => Promise<void>
}

/** Wraps the making of a graph by an addition to it, and may refuse it. */
export type Making = (make: () => Promise<void>) => Promise<void>

export const freely: Making = (make) => make()

/** Whether the tables of a graph are absent, or its writer takes no more. */
const isGone = (error: unknown): boolean => isAbsent(error) || (error instanceof Fault && error.kind === 'missing')

export function createGraphWriters(deps: GraphWritersDeps) {
  const { clickhouse, clock, sink, schemaOf, exclusively, settle, settleDeletion } = deps
  const writers = new Map<string, GraphWriter>()
  const begun = new Map<string, Promise<GraphWriter>>()
  /** Makes and takes away a graph one at a time. Code that needs `exclusively`, too, acquires that first. */
  const alone = createKeyedMutex()
  let isStopped = false

  const exists = async (graph: string): Promise<boolean> =>
    (await clickhouse.rows(compileGraphExists(graph))).length > 0

  /** The writer of a graph, whose tables are made, or brought up to date, once. */
  async function writerOf(graph: string): Promise<GraphWriter> {
    const known = writers.get(graph) ?? begun.get(graph)
    if (known) return known
    const made = make(graph).finally(() => begun.delete(graph))
    begun.set(graph, made)
    return made
  }

  async function make(graph: string): Promise<GraphWriter> {
    const isThere = async () => schemaOf(graph) !== undefined || (await exists(graph))
    if (!(await isThere())) {
      return exclusively(async () => {
        await settleDeletion?.(graph)
        return alone(graph, () => open(graph))
      })
    }
    return alone(graph, async () => {
      if (!(await isThere())) throw missingGraph(graph)
      return open(graph)
    })
  }

  async function open(graph: string): Promise<GraphWriter> {
    await runAll(clickhouse, createGraph(graph, schemaOf(graph)?.redelivered))
    const writer = createGraphWriter({ sink, clock, graph, settle: () => settle(graph) })
    writers.set(graph, writer)
    return writer
  }

  /** The graph of a schema is there with the schema. */
  async function ensure(graph: string, making: Making): Promise<void> {
    if (schemaOf(graph) !== undefined || (await exists(graph))) return
    await making(async () => {
      await writerOf(graph)
    })
  }

  /** A graph that is being taken away is forgotten then. */
  const forget = (graph: string, writer: GraphWriter | undefined): Promise<void> =>
    alone(graph, async () => {
      if (writers.get(graph) === writer) writers.delete(graph)
    })

  /**
   * A graph may go meanwhile, by a drop, with its schema, or by another process, and come back without the tables that
   * its writer needs: a write is tried again after the graph has gone.
   */
  async function write(graph: string, work: (writer: GraphWriter) => Promise<unknown>, making: Making): Promise<void> {
    let known: GraphWriter | undefined
    try {
      known = await writerOf(graph)
      await work(known)
    } catch (error) {
      if (isStopped || !isGone(error)) throw error
      await forget(graph, known)
      await ensure(graph, making)
      await work(await writerOf(graph))
    }
  }

  return {
    exists,

    /** Makes the graph where it is not there; the graph of a schema comes back with the tables that its feeds need. */
    async make(graph: string): Promise<void> {
      const known = writers.get(graph)
      // Another process may have dropped it since this one wrote to it.
      if (known && !(await exists(graph))) await forget(graph, known)
      await writerOf(graph)
    },

    /** Makes the graph anew, whatever was known of it. */
    async remake(graph: string): Promise<void> {
      await forget(graph, writers.get(graph))
      await writerOf(graph)
    },

    /** Writes into a graph, which is made where it is not there. */
    async add(graph: string, work: (writer: GraphWriter) => Promise<unknown>, making: Making): Promise<void> {
      if (!writers.has(graph)) await ensure(graph, making)
      await write(graph, work, making)
    },

    /** Changes a graph; a fault `missing` where there is none. That of a schema that never had a relation is there, too. */
    async change(graph: string, work: (writer: GraphWriter) => Promise<unknown>): Promise<void> {
      const refuse: Making = async () => {
        throw missingGraph(graph)
      }
      const isThere = writers.has(graph) || schemaOf(graph) !== undefined || (await exists(graph))
      if (!isThere) throw missingGraph(graph)
      await write(graph, work, refuse)
    },

    /** Ends the writer of a graph that `takeAway` removes: nothing is written to it meanwhile, and additions that wait go with it. */
    end: (graph: string, takeAway: () => Promise<void>): Promise<void> =>
      alone(graph, async () => {
        await writers.get(graph)?.close()
        try {
          await takeAway()
          await sink.forget(graph)
        } finally {
          writers.delete(graph)
        }
      }),

    async close(): Promise<void> {
      isStopped = true
      await Promise.allSettled(begun.values())
      for (const writer of writers.values()) await writer.close()
    },
  }
}

export type GraphWriters = ReturnType<typeof createGraphWriters>
