/**
 * Where shipped backups lie: `<service>/<line>/copies/<time>-<position>/` and `<service>/<line>/log/<behind>-<through>`. A
 * service has one id, which a restore keeps; a line is a run of commits without a gap. Numbers are filled up with zeros.
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

const form = /^([^/]+\/[^/]+)\/(log|copies)\/(\d{16})-(\d{16})(-full)?(?:\/(.*))?$/

/** Sorts names by their kinds: segments, copies that are whole, and the files of all copies, whole or not. */
export function sortNames(names: readonly string[], manifest: string) {
  const segments: Segment[] = []
  const copies: CopyName[] = []
  const files = new Map<string, string[]>()
  for (const name of names) {
    const [, line, kind, first, second, full, file] = form.exec(name) ?? []
    if (line === undefined) continue
    const [from, to] = [Number(first), Number(second)]
    if (kind === logFolder && file === undefined) segments.push({ name, line, behind: from, through: to })
    if (kind !== copiesFolder || file === undefined) continue
    const copy = name.slice(0, -file.length - 1)
    files.set(copy, [...(files.get(copy) ?? []), name])
    if (file === manifest) copies.push({ name: copy, line, taken: from, position: to, isFull: full !== undefined })
  }
  return { segments, copies: copies.sort((one, other) => one.taken - other.taken), files }
}
