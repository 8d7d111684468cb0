/** Values that are looked at before a pivot is chosen among them. */
const sampleSize = 15
/** A value is far where it lies this many deviations off; within that, four moments keep 1e-9 and better. */
const farDeviations = 256

/**
 * Chooses the pivot of an attribute's moments: the median of the first values, so that a first value far from all others
 * spoils nothing. Until it is chosen, and for single values far off, a value is its own pivot, which is exact and costs a
 * row of states; where values stay far off, the pivot moves to where they are.
 */
export function createPivot(known: number | undefined, chosen: (pivot: number) => void) {
  let pivot = known
  let deviation = 0
  let sample: number[] = []
  let isSettled = false

  function settle(): void {
    const median = middle(sample)
    deviation = Math.max(middle(sample.map((value) => Math.abs(value - median))), Math.abs(median) * 1e-6)
    if (pivot === undefined || Math.abs(median - pivot) > farDeviations * deviation) {
      pivot = median
      chosen(median)
    }
    sample = []
    isSettled = true
  }

  return {
    /** The pivot of a row that lacks the attribute. */
    resting: (): number => pivot ?? 0,
    /** The pivot of this value's row. */
    of(value: number): number {
      if (isSettled && Math.abs(value - (pivot ?? 0)) <= farDeviations * deviation) {
        sample = []
        return pivot ?? 0
      }
      // Values that scatter more than the first ones did are no outliers: twenty of them, far from each other in time.
      deviation = Math.max(2 * deviation, Math.abs(value - (pivot ?? value)) / farDeviations / 2 ** 20)
      sample.push(value)
      if (sample.length === sampleSize) settle()
      return value
    },
  }
}

export type Pivot = ReturnType<typeof createPivot>

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
