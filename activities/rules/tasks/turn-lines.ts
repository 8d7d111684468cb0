import { type Event, isObject, parseJson, writeJson } from '../../../base/json.ts'

/** A line among those that wait for their turn. */
export type TurnLine =
  /**
   * An event of a stream as it was sent; `of` tells the version of the schema that it was sent to, `off` the streams that
   * were OFF then, by commas.
   */
  | {
      readonly kind: 'event'
      readonly stream: string
      readonly of: string
      readonly off: string
      readonly event: Event
    }
  /** Forget events of a stream that are erased. */
  | { readonly kind: 'forget'; readonly stream: string; readonly places: readonly number[] }
  /** Fill what references of these streams read anew from ClickHouse. */
  | { readonly kind: 'refill'; readonly streams: readonly string[] }
  /** Forget all but these spaces. */
  | { readonly kind: 'keep'; readonly spaces: readonly string[] }

/** An event with its time and place begins like all lines of events, by which a search for its `_seq` finds it. */
export const eventLine = (stream: string, sent: { of: string; off: string }, event: Event, pk: string, seq: number) =>
  `{"_pk":${pk},"_seq":${seq},"_st":"${stream}","_of":"${sent.of}","_off":"${sent.off}","_event":${writeJson(event)}}\n`

export const tellLine = (told: Exclude<TurnLine, { kind: 'event' }>): string => `${JSON.stringify({ _tell: told })}\n`

export function readTurnLine(text: string): TurnLine {
  const line = parseJson(text, 'the line')
  if (!isObject(line)) throw new Error('a line of turns is an object')
  if (line._tell !== undefined) return line._tell as unknown as TurnLine
  const { _pk, _st, _of, _off, _event } = line
  if (!isObject(_event) || typeof _st !== 'string') throw new Error('a line of turns has an event and its stream')
  _event._pk = _pk ?? null
  return { kind: 'event', stream: _st, of: String(_of), off: String(_off), event: _event }
}
