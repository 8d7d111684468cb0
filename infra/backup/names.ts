/**
 * Where shipped backups lie: `<service>/<line>/copies/<time>-<position>/` and `<service>/<line>/log/<behind>-<through>`. A
 * service has one id, which a restore keeps; a line is a run of commits without a gap, `<when it began>-<data folder>`: a restored
 * folder has another name there. Numbers are filled up with zeros.
 */
const digits = 16
const filled = (value: number): string => String(Math.floor(value)).padStart(digits, '0')

export const logFolder = 'log'
const copiesFolder = 'copies'
const fullMark = '-full'

/** Commits behind one position, through another one. */
export type Segment = {
  readonly name: string
  readonly line: string
  readonly behind: number
  readonly through: number
}
/** `line` has the service before it. All commits up to the position are in the copy, and perhaps more. */
export type CopyName = {
  readonly name: string
  readonly line: string
  readonly taken: number
  readonly position: number
  readonly isFull: boolean
}

export const segmentName = (line: string, behind: number, through: number): string =>
  `${line}/${logFolder}/${filled(behind)}-${filled(through)}`

export const copyName = (line: string, taken: number, position: number, isFull: boolean): string =>
  `${line}/${copiesFolder}/${filled(taken)}-${filled(position)}${isFull ? fullMark : ''}`

/** A line's name below its service. */
export const lineageOf = (line: string): string => line.slice(line.indexOf('/') + 1)
/** The service and the data folder of a line. */
export const familyOf = (line: string): string => line.replace(/\/[^/]*-/, '/')

const form = /^([^/]+\/[^/]+)\/(log|copies)\/(\d{16})-(\d{16})(-full)?(?:\/(.*))?$/

/**
 * Copies of one data folder by what they have: positions never go back, while the computer's clock may. Of two with the same
 * position the later is behind; one that is later than now was taken while the clock was ahead.
 */
const inOrder =
  (now_us: number) =>
  (one: CopyName, other: CopyName): number =>
    one.position - other.position ||
    Number(other.taken > now_us) - Number(one.taken > now_us) ||
    one.taken - other.taken

/** Sorts names by their kinds: segments, copies that are whole, copies that are not, and the files of all copies. */
export function sortNames(names: readonly string[], manifest: string, now_us: number) {
  const segments: Segment[] = []
  const copies = new Map<string, CopyName>()
  const whole = new Set<string>()
  const files = new Map<string, string[]>()
  for (const name of names) {
    const [, line, kind, first, second, full, file] = form.exec(name) ?? []
    if (line === undefined) continue
    const [from, to] = [Number(first), Number(second)]
    if (kind === logFolder && file === undefined) segments.push({ name, line, behind: from, through: to })
    if (kind !== copiesFolder || file === undefined) continue
    const copy = name.slice(0, -file.length - 1)
    files.set(copy, [...(files.get(copy) ?? []), name])
    copies.set(copy, { name: copy, line, taken: from, position: to, isFull: full !== undefined })
    if (file === manifest) whole.add(copy)
  }
  const all = [...copies.values()].sort(inOrder(now_us))
  return {
    segments,
    copies: all.filter(({ name }) => whole.has(name)),
    broken: all.filter(({ name }) => !whole.has(name)),
    files,
  }
}
