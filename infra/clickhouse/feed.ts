import { compileTriplesThere, nodeInput, splitLines, tripleInput, withoutSeqs } from '../../sql/graph/index.ts'
import { qualified } from '../../sql/identifier.ts'
import { createRejectedTable } from '../../sql/schema/ddl/events.ts'
import { matchSource } from '../../sql/schema/ddl/matches.ts'
import { matchesTable } from '../../sql/schema/ddl/notices.ts'
import { graphDatabase, graphOfQueue, inputTable, isOfMatches, rejectedTable } from '../../sql/schema/names.ts'
import type { Feed } from '../log/embedded/feeder-insert.ts'
import { type ClickHouse, isAbsent } from './clickhouse.ts'

const partsOf = (queue: string): [database: string, stream: string] => {
  const graph = graphOfQueue(queue)
  if (graph !== undefined) return [graphDatabase, graph]
  const [database = '', stream = ''] = queue.split('.')
  return [database, stream]
}

/** The position and number that an event's line has, as the digits in its text. */
type Place = { readonly pk: string; readonly seq: string }

function placeIn(line: Buffer): Place | undefined {
  const [, pk, seq] = /^\{"_pk":(-?\d+),"_seq":(\d+)/.exec(line.toString('latin1', 0, 100)) ?? []
  return pk === undefined || seq === undefined ? undefined : { pk, seq }
}

const tokenOf = (ofBatch: string, log?: string): string => (log === undefined ? ofBatch : `${log}:${ofBatch}`)

/** Whether matches of a schema's rules are there, by their `_seq`, of which each has one of its own. */
async function areMatchesThere(clickhouse: ClickHouse, schema: string, places: readonly Place[]): Promise<boolean> {
  const seqs = new Set(places.map(({ seq }) => seq))
  const among = `_source = ${matchSource(schema)} AND _seq IN (${[...seqs].join(', ')})`
  const text = `SELECT uniqExact(_seq) AS found FROM ${matchesTable} WHERE ${among}`
  const [row] = await clickhouse.rows<{ found: string | number }>({ text, params: {} })
  return Number(row?.found) === seqs.size
}

/** Nodes go first, so that no triple is without its ends. Lines of a graph that is gone are dropped. */
async function insertIntoGraph(clickhouse: ClickHouse, graph: string, lines: Buffer, token: string): Promise<void> {
  const { nodes, triples } = splitLines(lines)
  try {
    if (nodes.length > 0) await clickhouse.insert({ table: nodeInput(graph), rows: nodes, token: `${token}:nodes` })
    if (triples.length > 0)
      await clickhouse.insert({ table: tripleInput(graph), rows: triples, token: `${token}:triples` })
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/**
 * Feeds a queue `S.ST` into the Null table of its stream or of a schema's matches, and one of a graph into the graph's tables. `log` sets tokens
 * apart where several logs feed one ClickHouse.
 */
export const createClickHouseFeed = (clickhouse: ClickHouse, log?: string): Feed => ({
  insert: (queue, rows, ofBatch) => {
    const token = tokenOf(ofBatch, log)
    const graph = graphOfQueue(queue)
    if (graph !== undefined) return insertIntoGraph(clickhouse, graph, rows, token)
    const [database, stream] = partsOf(queue)
    return clickhouse.insert({ table: qualified(database, inputTable(stream)), rows, token })
  },
  isThere: async (queue, lines) => {
    const [database, stream] = partsOf(queue)
    const ends = [lines.subarray(0, lines.indexOf(10)), lines.subarray(lines.lastIndexOf(10, lines.length - 2) + 1)]
    const places = ends.flatMap((line) => placeIn(line) ?? [])
    if (places.length < ends.length) return false
    if (isOfMatches(queue)) return areMatchesThere(clickhouse, database, places)
    const among = places.map(({ pk, seq }) => `(_pk = ${pk} AND _seq = ${seq})`).join(' OR ')
    const text = `SELECT uniqExact(_pk, _seq) AS found FROM ${qualified(database, stream)} WHERE ${among}`
    const [row] = await clickhouse.rows<{ found: string | number }>({ text, params: {} })
    return Number(row?.found) === new Set(places.map(({ pk, seq }) => `${pk} ${seq}`)).size
  },
  lackingOfGraph: async (graph, lines) => {
    const { nodes, triples } = splitLines(lines)
    if (triples.length === 0) return lines
    const there = await clickhouse
      .rows<{ _seq: string | number }>(compileTriplesThere(graph, triples))
      .catch((error: unknown) => {
        if (isAbsent(error)) return []
        throw error
      })
    return Buffer.concat([nodes, withoutSeqs(triples, new Set(there.map(({ _seq }) => String(_seq))))])
  },
  reject: (queue, lines, reason, ofBatch) => rejectInto(clickhouse)(queue, lines, reason, tokenOf(ofBatch, log)),
})

/** Keeps lines beside the events of their stream, with the reason; `redelivered` as in the schema. */
export const rejectInto =
  (clickhouse: Pick<ClickHouse, 'run' | 'insert'>, redelivered?: true) =>
  async (queue: string, lines: readonly Buffer[], reason: string, token: string): Promise<void> => {
    const [database, stream] = partsOf(queue)
    await clickhouse.run(createRejectedTable(database, stream, redelivered))
    const rows = lines.map((line) => `${JSON.stringify({ line: line.toString('utf8').trimEnd(), reason })}\n`)
    await clickhouse.insert({
      table: qualified(database, rejectedTable(stream)),
      rows: Buffer.from(rows.join('')),
      token,
    })
  }
