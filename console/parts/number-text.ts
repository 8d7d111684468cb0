const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })

/** Beyond it a double no longer tells one whole number from the next. */
const maxExact = Number.MAX_SAFE_INTEGER

/**
 * The one rule for numbers: whole ones with all their digits, others with six of them, or to two places where that is more. Numbers
 * that a double does not hold exactly, and very small ones, are written as powers of ten.
 */
export function numberText(value: number | bigint | undefined | null): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '–'
  if (typeof value === 'bigint') return whole.format(value)
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  if (size > maxExact || (size > 0 && size < 1e-4)) return String(Number(value.toPrecision(6)))
  if (Number.isInteger(value)) return whole.format(value)
  return size >= 10_000 ? cents.format(value) : small.format(value)
}

/** A number within a row of data, by the same rule, without marks between thousands: it may be a year or a key. */
export const cellNumberText = (value: number | bigint): string => numberText(value).replaceAll(',', '')

/** All digits of a number, where `numberText` leaves some out. */
export function fullNumber(value: number | bigint | undefined | null): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return cellNumberText(value) === String(value) ? undefined : String(value)
}

const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** The texts of an axis' ticks: all in one unit, with as many places as tell one from the next. */
export function axisTexts(ticks: readonly number[]): string[] {
  const greatest = Math.max(0, ...ticks.map(Math.abs))
  const apart = ticks.slice(1).map((tick, at) => Math.abs(tick - (ticks[at] ?? 0)))
  const min = Math.min(...apart.filter((each) => each > 0), greatest || 1)
  if (greatest >= 1e15 || (greatest > 0 && greatest < 1e-4)) {
    const digits = placesOf(min / 10 ** Math.floor(Math.log10(greatest)))
    return ticks.map((tick) => (tick === 0 ? '0' : tick.toExponential(digits).replace('e+', 'e')))
  }
  const [size, unit] = units.find(([each]) => greatest >= each) ?? [1, '']
  const places = placesOf(min / size)
  // Ticks near to each other and far from zero are told apart by all of their digits.
  if (places > 3) return ticks.map((tick) => plain(tick, placesOf(min)))
  return ticks.map((tick) => (tick === 0 ? '0' : `${plain(tick / size, places)}${unit}`))
}

/** The places after the point that a step between two ticks needs: 0.25 needs two. */
function placesOf(step: number): number {
  for (let places = 0; places < 12; places++) {
    const scaled = step * 10 ** places
    if (scaled >= 1 && Math.abs(scaled - Math.round(scaled)) < 1e-6) return places
  }
  return 12
}

const plain = (value: number, places: number): string =>
  new Intl.NumberFormat('en', { minimumFractionDigits: places, maximumFractionDigits: places }).format(value)
