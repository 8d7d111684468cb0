/** The time zone of all times that pages show: UTC, as the service counts, or that of this browser. */
import { signal } from '@preact/signals'

export type Zone = 'utc' | 'local'

export const zone = signal<Zone>('utc')
export const isZone = (value: unknown): value is Zone => value === 'utc' || value === 'local'

/** `New York` for America/New_York. */
export function zoneName(of: Zone = zone.value): string {
  if (of === 'utc') return 'UTC'
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/UTC' ? 'UTC' : (timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone)
}

/** The title of a column or an axis of times: `Time (UTC)`. */
export const inZone = (title: string): string => `${title} (${zoneName()})`
