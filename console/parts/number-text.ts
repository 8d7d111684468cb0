const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })

/** A number for people: 5 digits at least, and all of a whole number's. */
export function numberText(value: number | undefined | null): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '–'
  if (Number.isInteger(value) || Math.abs(value) >= 100_000) return whole.format(value)
  return small.format(value)
}

/** A number for an axis: 12K, 3.4M. */
export const shortNumber = (value: number): string => short.format(value)
