const iso =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?\s*$/i

/** Microseconds since 1970 of an ISO 8601 date, with a time or without, UTC where it has no offset; undefined for other texts. */
export function isoMicroseconds(text: string): number | undefined {
  // A date begins with a digit and has its first hyphen behind the year: most other texts end here.
  if (text.indexOf('-') < 4) return undefined
  const found = iso.exec(text)
  if (found === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found
  const parts = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = parts
  const at = Date.UTC(y, m - 1, d, h, min, s)
  if (m < 1 || m > 12 || new Date(at).getUTCDate() !== d || h > 23 || min > 59 || s > 59) return undefined
  return (at - offset_ms(zone)) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

function offset_ms(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  return (zone[0] === '-' ? -1 : 1) * (60 * hours + minutes) * 60_000
}
