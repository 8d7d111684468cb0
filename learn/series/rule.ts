import type { Parameter } from '../parameters.ts'

/**
 * How rows become windows: the rows of one `uid` are ordered by `time`, and from each `lag` values of `quantity` in a row
 * the one is predicted that comes `offset` + 1 later.
 */
export type SeriesRule = {
  readonly lag: number
  readonly offset: number
  readonly quantity: string
  readonly time: string
  /** Absent: all rows are one series. */
  readonly uid?: string
}

export const minLag = 2
export const maxLag = 500

/** Members of `algo_param` beside those of the algorithm. */
export const seriesParameters: readonly Parameter[] = [
  {
    name: 'lag',
    type: 'integer',
    min: minLag,
    max: maxLag,
    description: 'The target is predicted from its last so many values, in place of other attributes',
  },
  {
    name: 'offset',
    type: 'integer',
    default: 0,
    min: 0,
    max: 999,
    description: 'With lag: 0 predicts the next value, 1 the one after it, and so on',
  },
  {
    name: 'time',
    type: 'text',
    description: 'With lag: the attribute that orders the rows; required but for a stream, whose rows _pk orders',
  },
  {
    name: 'uid',
    type: 'text',
    description: 'With lag: the attribute that tells series apart; without it all rows are one series',
  },
]

/** `lag1` is the latest value. The oldest one is the first. */
export const lagNames = (lag: number): readonly string[] => Array.from({ length: lag }, (_, i) => `lag${lag - i}`)

/** The values from a window's first input to its target. */
export const spanOf = ({ lag, offset }: Pick<SeriesRule, 'lag' | 'offset'>): number => lag + offset + 1
