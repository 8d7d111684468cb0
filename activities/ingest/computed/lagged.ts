import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import { readMember } from './members.ts'
import type { Inputs, Predict } from './prediction.ts'
import { type Event, toNumber, toText } from './values.ts'

/** The values that the events until now brought to an attribute's series, in the order of the log. */
export type LaggedValues = {
  /** The last so many values, oldest first; undefined where there are fewer. */
  readonly last: (uid: string, count: number) => readonly number[] | undefined
  readonly push: (uid: string, value: number) => void
}

/** Of a model that is asked about many events at once; undefined where an event has too few values before it. */
type Ask = (events: readonly Event[], values: LaggedValues) => Promise<readonly unknown[]>

/**
 * Compiles a prediction from last values. Each event's window ends with the one before it in `events`, whose value is pushed
 * before the next event's window is taken. An event without a uid has no series, one without a value brings none to it.
 */
export function compileLagged(attribute: ComputedAttribute, lag: number, predict: Predict): Ask {
  const [quantity = ''] = attribute.inputs
  const readValue = readMember(String(quantity))
  const readUid = attribute.uid === undefined ? () => '' : readMember(attribute.uid)
  const names = Array.from({ length: lag }, (_, i) => `lag${lag - i}`)
  const inputsOf = (window: readonly number[]): Inputs =>
    Object.fromEntries(names.map((name, i) => [name, window[i] ?? Number.NaN]))

  return async (events, values) => {
    const windows = events.map((event) => {
      const uid = toText(readUid(event))
      if (uid === undefined || (attribute.uid !== undefined && uid === '')) return undefined
      const window = values.last(uid, lag)
      const value = toNumber(readValue(event))
      if (value !== undefined && Number.isFinite(value)) values.push(uid, value)
      return window
    })
    const asked = windows.filter((window) => window !== undefined).map(inputsOf)
    const labels = asked.length > 0 ? await predict(attribute, asked) : []
    let next = 0
    return windows.map((window) => (window === undefined ? undefined : labels[next++]))
  }
}
