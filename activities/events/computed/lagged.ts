import type { Event } from '../../../base/json.ts'
import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../values.ts'
import type { ReadInput } from './inputs.ts'
import type { Inputs, Predict } from './prediction.ts'
import { toNumber } from './values.ts'

/** The values that the events until now brought to an attribute's series, in the order of the log. */
export type LastValues = {
  /** The last so many values, oldest first; undefined where there are fewer. Without `uid` there is one series, undefined. */
  readonly last: (uid: Scalar | undefined, count: number) => readonly number[] | undefined
}

/** Of a model that is asked about many events at once; undefined where an event has too few values before it. */
type Ask = (events: readonly Event[], values: LastValues) => Promise<readonly unknown[]>

/**
 * Compiles a prediction from last values. Each event's window ends with the one before it in `events`, of which `values`
 * know nothing yet. An event without a uid has no series, one without a value brings none to it.
 */
export function compileLagged(attribute: ComputedAttribute, lag: number, readInput: ReadInput, predict: Predict): Ask {
  const [quantity = ''] = attribute.inputs
  const readValue = readInput(String(quantity))
  const readUid = attribute.uid === undefined ? undefined : readInput(attribute.uid)
  const names = Array.from({ length: lag }, (_, i) => `lag${lag - i}`)
  const inputsOf = (window: readonly number[]): Inputs =>
    Object.fromEntries(names.map((name, i) => [name, window[i] ?? Number.NaN]))

  return async (events, values) => {
    const brought = new Map<Scalar | undefined, number[]>()
    const windows = events.map((event) => {
      const uid = readUid?.(event)
      const has = uid !== undefined && uid !== ''
      if (readUid !== undefined && !has) return undefined
      const key = has ? uid : undefined
      const own = brought.get(key) ?? []
      const before = own.length < lag ? values.last(key, lag - own.length) : []
      const window = before && [...before, ...own.slice(-lag)]
      const value = toNumber(readValue(event))
      if (value !== undefined && Number.isFinite(value)) brought.set(key, [...own, value].slice(-lag))
      return window
    })
    return predict(
      attribute,
      windows.map((window) => window && inputsOf(window)),
    )
  }
}
