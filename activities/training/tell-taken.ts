import { isoText } from '../../base/instant.ts'
import type { Taking, TrainingSource } from './decode/request.ts'

type Stored = Extract<TrainingSource, { readonly taking: Taking }>

const count = (some: number): string => some.toLocaleString('en-US')

/** The members that choose rows, by their names: times as texts of ISO 8601. */
export function shownTaking({ where, from_us, to_us, limit, sample }: Taking): Record<string, string> {
  return {
    ...(where && { where: where.text }),
    ...(from_us !== undefined && { from: isoText(BigInt(from_us)) ?? String(from_us) }),
    ...(to_us !== undefined && { to: isoText(BigInt(to_us)) ?? String(to_us) }),
    ...(sample && { sample: String('share' in sample ? sample.share : sample.rows) }),
    ...(limit !== undefined && { limit: String(limit) }),
  }
}

type Told = { readonly what: string; readonly taken: number; readonly all: number }

/** A line of the log: how many rows there were, and which of them are learnt from. */
export function tellTaken({ taking }: Stored, { what, taken, all }: Told): string {
  const asked = Object.entries(shownTaking(taking)).map(([member, value]) => `${member} ${value}`)
  return asked.length === 0
    ? `retrieved ${taken} ${what}`
    : `retrieved ${count(taken)} of ${count(all)} ${what}: ${asked.join(', ')}`
}
