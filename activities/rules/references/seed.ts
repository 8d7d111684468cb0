import { parseJson } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { AttributeType } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../../events/values.ts'

/** Puts a part of what a space lacks into the state, of a size that one commit takes: some thousand records at most. */
export type Fill = (state: RuleState) => void

/** Whether the events of a key, whose parts are given, have their turns in this memory. */
export type IsOwn = (key: readonly Scalar[]) => boolean

/** A part of the rules' memory, as it is filled anew where it is not there. */
export type MemorySpace = {
  readonly name: string
  /** The stream or entity whose rows it has, and the names that make the key of a row. */
  readonly stream: string
  readonly keys: readonly string[]
  /** How long it remembers an event: its stream's `swsz`. */
  readonly window_us: number
  /**
   * Fills the space from ClickHouse, where all events are that were acknowledged, while none is taken. The last fill marks
   * the space as whole.
   */
  seed(clickhouse: Pick<ClickHouse, 'rows'>, isOwn?: IsOwn): AsyncIterable<Fill>
}

export const ownsAll: IsOwn = () => true
export const ownsNone: IsOwn = () => false

/** Records that one fill makes. */
export const fillRecords = 2_000
/** Keys, or rows that are searched, of which a space is filled: the latest ones. More would not fit the memory of rules. */
export const maxFilled = 2_000_000

export function* inFills<Item>(items: readonly Item[], put: (state: RuleState, item: Item) => void): Generator<Fill> {
  for (let at = 0; at < items.length; at += fillRecords) {
    const some = items.slice(at, at + fillRecords)
    yield (state) => {
      for (const item of some) put(state, item)
    }
  }
}

/** Is there once a space has been filled. No key's text begins so. */
export const seededKey = 'seeded'

/** The attribute's value that a text of ClickHouse stands for, as an event has it. */
export function fromText(type: AttributeType, text: string): unknown {
  if (type === 'STRING') return text
  if (type === 'BOOL') return text === 'true'
  if (type === 'OBJECT') return parseJson(text, 'the value')
  const number = Number(text)
  return type === 'LONG' && !Number.isSafeInteger(number) ? BigInt(text) : number
}

/** Kinds of spaces that are filled from ClickHouse. */
const refilled = ['refr', 'lag', 'entity', 'fold']

/** The names of the spaces begin so that references to these streams read, entity streams among them. */
export const refillStarts = (schema: string, streams: readonly string[]): string[] =>
  streams.flatMap((stream) => refilled.map((kind) => `${schema}.${stream}/${kind}:`))
