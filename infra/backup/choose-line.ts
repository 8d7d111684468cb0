import { BackupError } from './manifest.ts'
import { type CopyName, familyOf, lineageOf, type Segment } from './names.ts'

/** The lines of one data folder, one behind the other, which all end in its name. */
type Family = {
  /** The newest of its lines that has a copy, without the service. */
  readonly line: string
  readonly copies: readonly CopyName[]
  /** Microseconds since 1970: when its first line began, and the last that is known of it. */
  readonly from: number
  readonly until: number
}

export type Choice = {
  /** The copies of one data folder, in their order. */
  readonly copies: readonly CopyName[]
  /** Lines of other data folders, which had ended when this one began; of all others, where it was asked for. */
  readonly others: readonly string[]
}

const begun = (line: string): number => Number(lineageOf(line).split('-')[0])

function familiesOf(copies: readonly CopyName[], segments: readonly Segment[]): Family[] {
  const names = new Set(copies.map(({ line }) => familyOf(line)))
  const families = [...names].map((family) => {
    const own = copies.filter(({ line }) => familyOf(line) === family)
    const parts = segments.filter(({ line }) => familyOf(line) === family)
    const lines = [...own, ...parts].map(({ line }) => line)
    const from = lines.map(begun).reduce((one, other) => Math.min(one, other))
    // Positions are times as a rule.
    const times = [...own.map(({ taken }) => taken), ...parts.map(({ through }) => through)]
    const until = times.reduce((one, other) => Math.max(one, other), from)
    return { line: lineageOf(own.at(-1)?.line ?? ''), copies: own, from, until }
  })
  return families.sort((one, other) => one.from - other.from)
}

/**
 * The copies among which a restore chooses: of one data folder. A restored folder ships beside the folder that was backed up, and
 * both may go on: then neither is newer than the other, and a `BackupError` asks which. `copies` are in their order.
 */
export function chooseLine(
  copies: readonly CopyName[],
  segments: readonly Segment[],
  asked: string | undefined,
): Choice | undefined {
  const families = familiesOf(copies, segments)
  if (asked !== undefined) {
    const its = families.find((family) => family.copies.some(({ line }) => lineageOf(line) === asked))
    if (!its) throw new BackupError(`there is no whole copy of the line ${asked} there, but of ${listed(families)}`)
    return { copies: its.copies, others: linesBeside(families, its) }
  }
  const newest = families.at(-1)
  if (!newest) return undefined
  const beside = families.filter((family) => family !== newest && family.until > newest.from)
  if (beside.length > 0) {
    throw new BackupError(
      `two services shipped there beside each other, one of which was restored from the other; name the one to restore by --line: ${listed([...beside, newest])}`,
    )
  }
  return { copies: newest.copies, others: linesBeside(families, newest) }
}

const linesBeside = (families: readonly Family[], its: Family): string[] =>
  families.flatMap((family) => (family === its ? [] : [family.line]))

export const timeOf = (us: number): string => new Date(us / 1000).toISOString()

const listed = (families: readonly Family[]): string =>
  families.map(({ line, from, until }) => `${line} (from ${timeOf(from)} until ${timeOf(until)})`).join(', ')
