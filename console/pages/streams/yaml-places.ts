/** The place that is written in a YAML text: told by its indentation, and within brackets by their marks. */
import { type Path, type Spot, spotAt } from './json-places.ts'

/** A member of a mapping, or an item of a list, with the column at which it begins. */
type Level = { readonly indent: number; readonly step: string | number }

/** A line, with those that go on within its brackets. */
type Row = { readonly from: number; readonly text: string }

const key = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:[\]{},][^\s:[\]{},]*)[ \t]*:(?=\s|$)/
const dash = /^-(?:[ \t]+|$)/
const quoted = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?/g
const comment = /(?:^|[ \t])#[^\n]*/

const unquoted = (name: string): string => name.replace(/^["']|["']$/g, '')
const isBare = (text: string): boolean => text.trim() === '' || /^\s*#/.test(text)

/** How many brackets a line leaves open, texts in quotes and comments aside. */
const openIn = (text: string): number =>
  [...text.replace(quoted, '').replace(comment, '')].reduce(
    (open, mark) => open + (/[{[]/.test(mark) ? 1 : /[}\]]/.test(mark) ? -1 : 0),
    0,
  )

function rowsOf(text: string): readonly Row[] {
  const rows: { from: number; lines: string[] }[] = []
  let [from, open] = [0, 0]
  for (const line of text.split('\n')) {
    const last = rows.at(-1)
    if (open > 0 && last) last.lines.push(line)
    else rows.push({ from, lines: [line] })
    open = Math.max(0, open + openIn(line))
    from += line.length + 1
  }
  return rows.map((row) => ({ from: row.from, text: row.lines.join('\n') }))
}

/** Leaves the levels that end where something begins at a column; a list may stand at the column of the member that has it. */
function leave(levels: Level[], indent: number, isItem: boolean): Level | undefined {
  let left: Level | undefined
  for (let last = levels.at(-1); last !== undefined; last = levels.at(-1)) {
    const isInside = last.indent < indent || (last.indent === indent && isItem && typeof last.step === 'string')
    if (isInside) break
    left = levels.pop()
  }
  return left?.indent === indent ? left : undefined
}

type Entered = {
  /** Where the first member or word of the row begins, in the row. */
  readonly indent: number
  /** The text behind the name of the member, or all of the row that is no beginning. */
  readonly rest: string
  readonly isMember: boolean
}

/** Goes down to the member that a row begins: `- - name: ` is two items and a member. */
function enter(levels: Level[], { text }: Row): Entered {
  let indent = /^ */.exec(text)?.[0].length ?? 0
  let rest = text.slice(indent)
  for (let [begun] = dash.exec(rest) ?? []; begun !== undefined; [begun] = dash.exec(rest) ?? []) {
    const before = leave(levels, indent, true)
    levels.push({ indent, step: typeof before?.step === 'number' ? before.step + 1 : 0 })
    indent += begun.length
    rest = rest.slice(begun.length)
  }
  const [written, name] = key.exec(rest) ?? []
  if (rest.trim() !== '') leave(levels, indent, false)
  if (written === undefined || name === undefined) return { indent, rest, isMember: false }
  levels.push({ indent, step: unquoted(name) })
  return { indent, rest: rest.slice(written.length), isMember: true }
}

const pathOf = (levels: readonly Level[]): Path => levels.map(({ step }) => step)

/** A member of a mapping that is written in lines, and the column at which it begins. */
export type Member = { readonly path: Path; readonly indent: number }

export function membersIn(text: string): readonly Member[] {
  const levels: Level[] = []
  return rowsOf(text).flatMap((row) => {
    if (isBare(row.text)) return []
    const { indent, isMember } = enter(levels, row)
    return isMember ? [{ path: pathOf(levels), indent }] : []
  })
}

export type YamlSpot = Omit<Spot, 'isQuoted'> & {
  /** Within brackets, where members stand behind each other. */
  readonly isInline: boolean
  /** The column at which the member begins that is written. */
  readonly indent: number
}

/** Looks at the text up to `at`; undefined where nothing is named: in a comment, or right behind a colon. */
export function yamlSpotAt(text: string, at: number): YamlSpot | undefined {
  const levels: Level[] = []
  const rows = rowsOf(text.slice(0, at))
  const last = rows.at(-1) ?? { from: 0, text: '' }
  for (const row of rows.slice(0, -1)) if (!isBare(row.text)) enter(levels, row)
  const line = last.text.slice(last.text.lastIndexOf('\n') + 1)
  if (comment.test(line.replace(quoted, ''))) return undefined
  const { indent, rest, isMember } = enter(levels, last)
  const value = rest.trimStart()
  if (/^[[{]/.test(value)) {
    const { kind, path, names } = spotAt(value, value.length)
    const word = value.slice(wordFrom(value))
    const above = isMember ? pathOf(levels) : enclosing(levels, indent)
    return {
      kind,
      path: [...above, ...path],
      from: at - word.length,
      word: unquoted(word),
      names,
      isInline: true,
      indent,
    }
  }
  const written = { from: at - value.length, word: unquoted(value), isInline: false, indent }
  if (isMember) return rest === '' ? undefined : { ...written, kind: 'value', path: pathOf(levels), names: [] }
  const path = enclosing(levels, indent)
  return { ...written, kind: 'name', path, names: namesAt(text, path, indent) }
}

/** Where the word begins that a text ends with. */
function wordFrom(text: string): number {
  let from = text.length
  while (from > 0 && /[\w.$"'-]/.test(text.charAt(from - 1))) from--
  return from
}

const enclosing = (levels: readonly Level[], indent: number): Path =>
  pathOf(levels.filter((level) => level.indent < indent))

/** The names that a mapping has by now, those below the place too. */
const namesAt = (text: string, above: Path, column: number): readonly string[] =>
  membersIn(text)
    .filter(
      ({ path, indent }) =>
        indent === column && path.length === above.length + 1 && above.every((step, place) => step === path[place]),
    )
    .map(({ path }) => String(path.at(-1)))
