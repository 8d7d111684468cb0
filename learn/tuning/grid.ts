import type { Point } from './choose.ts'

/** `train_speed` 1 to 5, coarse to fine: the step of the exponents. */
const steps = [4, 3, 2, 1, 0.5] as const

/** 2^-5 .. 2^13. */
export const costExponents = { from: -5, to: 13 } as const
/** 2^-13 .. 2^3. */
export const gammaExponents = { from: -13, to: 3 } as const

export function powersOfTwo(
  { from, to }: { readonly from: number; readonly to: number },
  trainSpeed: number,
): number[] {
  const step = steps[trainSpeed - 1]
  if (step === undefined) throw new RangeError(`train_speed is ${trainSpeed}; it must be 1 to 5`)
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step))
}

/** Names and values to try, every one with every other; near the middle of the exponents first, since most winners are there. */
export function gridOf(axes: Readonly<Record<string, readonly number[]>>): readonly Point[] {
  let points: { readonly values: Point; readonly distance: number }[] = [{ values: {}, distance: 0 }]
  for (const [name, values] of Object.entries(axes)) {
    points = points.flatMap((point) =>
      values.map((value, i) => ({
        values: { ...point.values, [name]: value },
        distance: point.distance + ((i + 0.5) / values.length - 0.5) ** 2,
      })),
    )
  }
  return points.toSorted((a, b) => a.distance - b.distance).map(({ values }) => values)
}

/** The sum of the exponents of these powers of two: each of them makes a model bend more. */
export const bendOf = (values: Point): number => Object.values(values).reduce((sum, value) => sum + Math.log2(value), 0)
