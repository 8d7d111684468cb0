// Runs in a worker thread of `open-algorithm-threads.ts`: an algorithm over a graph.

import { Refusal } from '../../../sql/refusal.ts'
import type { AlgorithmName } from './names.ts'
import { type RelatedLines, readRelated } from './related.ts'
import { type ScoreParameters, scoreNodes } from './score.ts'
import { type RowOrder, scoreRows } from './score-rows.ts'

export type Task = { readonly algorithm: AlgorithmName; readonly lines: RelatedLines } & (
  | { readonly kind: 'score'; readonly parameters: ScoreParameters; readonly property: string; readonly at: number }
  | { readonly kind: 'rows'; readonly order: RowOrder }
)

export type Scored = {
  /** A line a node, for `scoreInput`. */
  readonly lines: Uint8Array
  readonly summary: Readonly<Record<string, number>>
}

/** A refusal keeps its words: classes of errors do not cross threads. */
export type Answer = { readonly scored: Scored } | { readonly rows: readonly string[] } | { readonly refused: string }

/** ClickHouse writes this much as one block, which is there whole or not at all. */
const mostWritten = 100_000_000

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function runTask(task: Task): Answer {
  try {
    return task.kind === 'score' ? { scored: score(task) } : { rows: rowsOf(task) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}

function score({ algorithm, lines, parameters, property, at }: Extract<Task, { kind: 'score' }>): Scored {
  const related = readRelated(lines)
  const { values, summary } = scoreNodes(algorithm, related, parameters)
  const written: string[] = []
  let length = 0
  for (const value of values) {
    const node = related.nodes[written.length]
    const line = `${JSON.stringify({ ...node, property, value, at })}\n`
    length += line.length
    if (length > mostWritten) throw new Refusal(`the values take more than ${mostWritten} characters; ask for less`)
    written.push(line)
  }
  const relations = related.count.reduce((sum, count) => sum + count, 0)
  return {
    lines: Buffer.from(written.join('')),
    summary: { nodes: related.nodes.length, relations, ...summary },
  }
}

const rowsOf = ({ algorithm, lines, order }: Extract<Task, { kind: 'rows' }>): string[] =>
  scoreRows(algorithm, readRelated(lines), order).map((row) => JSON.stringify(row))
