/** Numbers, sizes and times as people read them. */
import { numberText } from './number-text.ts'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

export const formatCount = (value: number | bigint): string => whole.format(value)

/** 12,345 stays; 1,234,567 is 1.2M. */
export const formatShort = (value: number): string =>
  Math.abs(value) < 100_000 ? numberText(value) : short.format(value)

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB']

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${precise.format(Number((bytes / 1000 ** power).toPrecision(3)))} ${units[power]}`
}

export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 60) return `${precise.format(Number(seconds.toPrecision(2)))} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400
    ? twoUnits(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min')
    : twoUnits(Math.floor(seconds / 86_400), 'd', Math.floor((seconds % 86_400) / 3600), 'h')
}

const twoUnits = (many: number, unit: string, few: number, lesser: string): string =>
  few === 0 ? `${many} ${unit}` : `${many} ${unit} ${few} ${lesser}`

/** `3 min ago`. */
export function formatAgo(time_us: number, now_ms: number = Date.now()): string {
  const seconds = now_ms / 1000 - time_us / 1e6
  if (seconds < -1) return `in ${formatDuration(-seconds)}`
  return seconds < 5 ? 'just now' : `${formatDuration(Math.floor(seconds))} ago`
}
