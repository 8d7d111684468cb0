import { columnType, rowAlias, valueOf } from '../columns.ts'
import { column, type Measure, type StatisticSql } from './part.ts'

/** An event's place in time, and among events of one time in the order of their arrival, as one number. */
const place = `bitShiftLeft(toInt128(${rowAlias}._pk), 64) + ${rowAlias}._seq`

/** The value of the event that comes last, or first, by `_pk`. */
function end(part: 'last' | 'first'): StatisticSql {
  const [name, alias, which] = part === 'last' ? ['argMax', 'l', 'greatest'] : ['argMin', 'f', 'least']
  const merged = ({ result }: Measure): string => `${name}Merge(${column(result, part)})`
  return {
    columns: ({ result, input }) => [
      `${column(result, part)} AggregateFunction(${name}, ${columnType(input.type)}, Int128)`,
    ],
    feed: ({ result, input }) => [`${name}State(${valueOf(input)}, ${place}) AS ${column(result, part)}`],
    // The value as JSON, in which whole numbers of 64 bits keep all their digits.
    states: (measure) =>
      measure.input.type === 'OBJECT' ? `ifNull(${merged(measure)}, 'null')` : `toJSONString(${merged(measure)})`,
    /** The event's place, which is the end of the state. */
    sketch: ({ result }) => `substring(hex(${name}MergeState(${column(result, part)})), -32)`,
    merge: (measure) => [`${merged(measure)} AS ${column(measure.result, alias)}`],
    members: ({ result }) => ({ [part]: column(result, alias) }),
    readable: ({ result, input }) => ({
      [part]: {
        value: column(result, alias),
        type: columnType(input.type),
        about: `Value of ${input.name} with the ${which} _pk; NULL without a value`,
      },
    }),
    shownStates: ({ result, input }) => ({
      [`${part}_state`]: {
        value: `${name}MergeState(${column(result, part)})`,
        type: `AggregateFunction(${name}, ${columnType(input.type)}, Int128)`,
        about: `Value of ${input.name} with the ${which} _pk: ${name}Merge over rows gives it`,
      },
    }),
    asked: (of) => ({ [part]: `${name}Merge(${of(`${part}_state`)})` }),
    hasLargeStates: false,
  }
}

export const last = end('last')
export const first = end('first')
