/** Round numbers from `from` to `to`, about `count` of them. */
export function ticksOf(from: number, to: number, count = 5): number[] {
  const span = to - from
  if (!(span > 0) || !Number.isFinite(span)) return [from]
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)))
}
