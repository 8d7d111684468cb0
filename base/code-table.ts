import { quoted } from './quoted.ts'

/** A number of null: the code has only a name. */
export type CodeTable<Name extends string> = {
  readonly what: string
  readonly entries: readonly (readonly [number | null, Name])[]
  readonly aliases: ReadonlyMap<string, Name>
}

export const codeTable = <Name extends string>(
  what: string,
  entries: readonly (readonly [number | null, Name])[],
  aliases: Readonly<Record<string, NoInfer<Name>>> = {},
): CodeTable<Name> => ({ what, entries, aliases: new Map(Object.entries(aliases)) })

/** The case does not matter, and blanks, dashes and underscores are one: `very_fast` is VERY FAST. */
const fold = (name: string) =>
  name
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_')

const find = <Name extends string>(table: CodeTable<Name>, value: unknown): Name | undefined => {
  if (typeof value === 'number') return table.entries.find(([number]) => number === value)?.[1]
  if (typeof value !== 'string' || value.length > 40) return undefined
  if (/^\s*-?\d+\s*$/.test(value)) return find(table, Number(value))
  const folded = fold(value)
  return table.entries.find(([, name]) => fold(name) === folded)?.[1] ?? table.aliases.get(folded)
}

const shown = (value: unknown) => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  return Array.isArray(value) ? 'array' : typeof value
}

/** The names and numbers of a table, as messages list them: `3 OBJECT, 5 STRING`. */
const knownCodes = <Name extends string>(table: CodeTable<Name>): string =>
  table.entries.map(([number, name]) => (number === null ? name : `${number} ${name}`)).join(', ')

/** Every number and name of a table, and the names' aliases. */
export const knownForms = <Name extends string>({ entries, aliases }: CodeTable<Name>): (number | string)[] => [
  ...entries.flatMap(([number, name]) => (number === null ? [name] : [number, name])),
  ...aliases.keys(),
]

/** Reads a code: a number, that number as a string, or a name in any case. */
export const decodeCode = <Name extends string>(
  table: CodeTable<Name>,
  value: unknown,
): { readonly name: Name } | { readonly problem: string } => {
  const name = find(table, value)
  if (name !== undefined) return { name }
  const fault = value === undefined ? `no ${table.what}` : `unknown ${table.what} ${shown(value)}`
  return { problem: `${fault}; known are ${knownCodes(table)}` }
}

/** The number that stands for a name on the wire; the name itself where there is none. */
export const encodeCode = <Name extends string>(table: CodeTable<Name>, name: Name): number | Name =>
  table.entries.find(([, known]) => known === name)?.[0] ?? name
