// Runs in a worker thread of `open-graph-threads.ts`: an algorithm over a graph, or a set of large answers.

import { Refusal } from '../../../base/refusal.ts'
import type { AlgorithmName } from '../algorithms/names.ts'
import { type RelatedLines, readRelated } from '../algorithms/related.ts'
import { type Advance, type ScoreParameters, scoreNodes } from '../algorithms/score.ts'
import { type RowOrder, scoreRows } from '../algorithms/score-rows.ts'
import { answerText } from '../queries/answer-query.ts'
import { combined, type SetHead, type SetLines } from '../queries/sets.ts'

type OfAlgorithm = { readonly algorithm: AlgorithmName; readonly lines: RelatedLines }
type Score = OfAlgorithm & {
  readonly kind: 'score'
  readonly parameters: ScoreParameters
  readonly property: string
  readonly at: number
  /** How far the computing is, in thousandths. */
  readonly done: Int32Array<SharedArrayBuffer>
}
type Rows = OfAlgorithm & { readonly kind: 'rows'; readonly order: RowOrder }
type Combine = { readonly kind: 'set'; readonly head: SetHead; readonly each: readonly SetLines[] }

export type Task = Score | Rows | Combine

export type Scored = {
  /** A line a node, for `scoreInput`. */
  readonly lines: Uint8Array
  readonly summary: Readonly<Record<string, number>>
}

/** A refusal keeps its words: classes of errors do not cross threads. */
export type Answer =
  | { readonly scored: Scored }
  | { readonly rows: readonly string[] }
  | { readonly text: Uint8Array }
  | { readonly refused: string }

/** ClickHouse writes this much as one block, which is there whole or not at all. */
const maxWritten = 100_000_000

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default function runTask(task: Task): Answer {
  try {
    if (task.kind === 'set') return { text: Buffer.from(answerText('rows', combined(task.head, task.each))) }
    return task.kind === 'score' ? { scored: score(task) } : { rows: rowsOf(task) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}

function score({ algorithm, lines, parameters, property, at, done }: Score): Scored {
  const related = readRelated(lines)
  const advance: Advance = (share) => void Atomics.store(done, 0, Math.round(share * 1000))
  const { values, summary } = scoreNodes(algorithm, related, parameters, advance)
  const written: string[] = []
  let length = 0
  for (const value of values) {
    const node = related.nodes[written.length]
    const line = `${JSON.stringify({ ...node, property, value, at })}\n`
    length += line.length
    if (length > maxWritten) throw new Refusal(`the values take more than ${maxWritten} characters; ask for less`)
    written.push(line)
  }
  const relations = related.count.reduce((sum, count) => sum + count, 0)
  return {
    lines: Buffer.from(written.join('')),
    summary: { nodes: related.nodes.length, relations, ...summary },
  }
}

const rowsOf = ({ algorithm, lines, order }: Rows): string[] =>
  scoreRows(algorithm, readRelated(lines), order).map((row) => JSON.stringify(row))
