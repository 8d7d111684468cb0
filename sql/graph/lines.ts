/** Lines that clients write as JSONEachRow lines: the properties of a graph's nodes, and its triples. */
import { qualified } from '../identifier.ts'
import { jsonObject } from '../json/canonical.ts'
import { firstWriteOf } from '../schema/ddl/graph/graph.ts'
import { graphDatabase, propertyTable, scoreTable, tripleTable } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'
import type { NewNode, NodeKey, Properties } from './ast.ts'

export type NewTriple = {
  readonly subject: NodeKey
  readonly relation: string
  readonly object: NodeKey
  readonly properties: Properties
}

export const nodeInput = (graph: string): string => qualified(graphDatabase, propertyTable(graph))
/** Lines `{label, name, property, value, at}`: of a node that is there the property has this value from then on. */
export const scoreInput = (graph: string): string => qualified(graphDatabase, scoreTable(graph))
export const tripleInput = (graph: string): string => qualified(graphDatabase, tripleTable(graph))

/** A line for the node itself and one a property. Where a property has two writes the one with the lesser `seq` stays. */
export const nodeLines = ({ label, name, properties }: NewNode, seq: number): string =>
  [['', ''] as const, ...properties]
    .map(([property, value]) => `${JSON.stringify({ label, name, property, written: firstWriteOf(value, seq) })}\n`)
    .join('')

/** `seq` tells a triple from each other one. */
export const tripleLine = ({ subject, relation, object, properties }: NewTriple, seq: number): string =>
  `${JSON.stringify({
    subject_label: subject.label,
    subject: subject.name,
    relation,
    object_label: object.label,
    object: object.name,
    properties: jsonObject(new Map(properties)),
    _at: seq,
    _seq: seq,
    _source: '',
  })}\n`

/** Separates lines of both kinds, as they come, into lines of nodes and lines of triples. */
export function splitLines(lines: Buffer): { nodes: Buffer; triples: Buffer } {
  const runs: Record<'nodes' | 'triples', Buffer[]> = { nodes: [], triples: [] }
  const kindAt = (start: number) => (lines[start + 2] === firstOfTriple ? 'triples' : 'nodes')
  for (let start = 0; start < lines.length; ) {
    const kind = kindAt(start)
    let end = start
    while (end < lines.length && kindAt(end) === kind) end = lines.indexOf(10, end) + 1 || lines.length
    runs[kind].push(lines.subarray(start, end))
    start = end
  }
  return { nodes: Buffer.concat(runs.nodes), triples: Buffer.concat(runs.triples) }
}

/** The end of a triple's line, as `tripleLine` writes it: a text within the line has no line end and its quotes escaped. */
const seqAtEnd = /"_seq":(\d+),"_source":""\}$/
const linesIn = (lines: Buffer): string[] => lines.toString('latin1').split('\n').slice(0, -1)
const seqOf = (line: string): string => seqAtEnd.exec(line)?.[1] ?? ''

/** Rows `_seq`: the triples among these lines that the graph has. */
export function compileTriplesThere(graph: string, triples: Buffer): SqlStatement {
  const seqs = linesIn(triples).map((line) => Number(seqOf(line)))
  const from = seqs.reduce((min, seq) => Math.min(min, seq), Number.MAX_SAFE_INTEGER)
  const to = seqs.reduce((greatest, seq) => Math.max(greatest, seq), 0)
  const text = `SELECT _seq FROM ${tripleInput(graph)} WHERE _source = '' AND _seq BETWEEN {from:Int64} AND {to:Int64}`
  return { text, params: { from, to } }
}

/** Lines of triples without the lines that have one of these `_seq`. */
export const withoutSeqs = (triples: Buffer, seqs: ReadonlySet<string>): Buffer => {
  const rest = linesIn(triples).filter((line) => !seqs.has(seqOf(line)))
  return Buffer.from(rest.map((line) => `${line}\n`).join(''), 'latin1')
}

/** A triple's line begins with `{"subject_label"`, a node's with `{"label"`. */
const firstOfTriple = 's'.charCodeAt(0)
