import { createNumbers } from './growing-list.ts'

/** `(x - shift) * factor + offset`, a missing x being the mean of the training data. */
export type NumberEncoding = {
  readonly name: string
  readonly mean: number
  readonly min: number
  readonly max: number
  /** The standard deviation of the training data. */
  readonly deviation: number
  readonly shift: number
  readonly factor: number
  readonly offset: number
}

/** The numbers of one attribute, NaN where they are missing. */
export function createNumberColumn(name: string) {
  const list = createNumbers()
  const range = createRange(name)

  return {
    add: (value: number) => {
      list.push(value)
      range.add(value)
    },
    finish: () => ({
      kind: 'number' as const,
      values: list.values(),
      missing: list.length() - range.present(),
      range: range.finish(),
    }),
  }
}

/** The same of numbers that are at hand. */
export function numberData(
  name: string,
  values: Float64Array<ArrayBuffer>,
): ReturnType<ReturnType<typeof createNumberColumn>['finish']> {
  const range = createRange(name)
  for (const value of values) range.add(value)
  return { kind: 'number', values, missing: values.length - range.present(), range: range.finish() }
}

function createRange(name: string) {
  let present = 0
  let mean = 0
  let squares = 0
  let min = Infinity
  let max = -Infinity

  return {
    add: (value: number) => {
      if (Number.isNaN(value)) return
      present += 1
      const off = value - mean
      mean += off / present
      squares += off * (value - mean)
      if (value < min) min = value
      if (value > max) max = value
    },
    present: () => present,
    finish: () =>
      present === 0
        ? { name, mean: 0, min: 0, max: 0, deviation: 0 }
        : { name, mean, min, max, deviation: Math.sqrt(squares / present) },
  }
}

type Range = Pick<NumberEncoding, 'name' | 'mean' | 'min' | 'max' | 'deviation'>

/** The range and mean of some rows of an attribute. */
export function rangeOf({ values, range }: { values: Float64Array; range: Range }, rows: Int32Array): Range {
  const some = createRange(range.name)
  for (const row of rows) some.add(values[row] ?? Number.NaN)
  return some.finish()
}

/** True: the training range becomes [-1, 1], as by `svm-scale`. Standard: the mean becomes 0 and the deviation 1. */
export type Scale = boolean | 'standard'

/** Scaled, an attribute that never changes becomes 0. */
export function encodeRange(range: Range, scale: Scale): NumberEncoding {
  if (!scale) return { ...range, shift: 0, factor: 1, offset: 0 }
  if (scale === 'standard') {
    const steep = 1 / range.deviation
    return {
      ...range,
      shift: range.mean,
      factor: range.max > range.min && Number.isFinite(steep) ? steep : 0,
      offset: 0,
    }
  }
  const factor = 2 / (range.max - range.min)
  const varies = range.max > range.min && Number.isFinite(factor)
  return { ...range, shift: range.min, factor: varies ? factor : 0, offset: varies ? -1 : 0 }
}

export function encodeNumber(value: number, { mean, shift, factor, offset }: NumberEncoding): number {
  return ((Number.isNaN(value) ? mean : value) - shift) * factor + offset
}
