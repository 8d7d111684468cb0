import type { Weir } from '../../src/index.ts'
import { listed } from '../../src/rows.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import type { Values } from './yaml.ts'

export type Table = { readonly database: string; readonly name: string; readonly settings: Values }

/** A table of the project, with its file. */
export type ProjectTable = Table & { readonly path: string }

const usualDatabase = 'mydb'

/** Settings with the value that a table is made with where its file has none. */
const usual: Readonly<Record<string, number>> = {
  table_type: 1,
  key_type: 1,
  key_sz: 24,
  allow_duplicate: 0,
  allow_rev_idx: 0,
  version_type: 0,
}

/** The names that a file may have for the codes of the service. */
export const codes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  table_type: {
    NORMAL: 0,
    NORMAL_TABLE: 0,
    WIDE: 1,
    WIDE_TABLE: 1,
    PRIMITIVE_INT: 3,
    PRIMITIVE_LONG: 4,
    PRIMITIVE_STRING: 5,
  },
  key_type: { NORMAL_KEY: 1, COMPOSITE_KEY: 3, NORMAL_KEY_LONG: 10 },
}
const keyTypeLong = 10

type File = { readonly path: string; readonly name: string; readonly value: Values }

/** The tables of the project: a file's name is a table's, or its database's and its own, as in D.T.yaml. */
export function tablesIn(files: readonly File[]): ProjectTable[] {
  const paths = new Map<string, string>()
  return files.map(({ path, name: place, value }) => {
    const { database: given, ...settings } = value
    const [before, name] = place.includes('.') ? place.split(/\.(.*)/s, 2) : [undefined, place]
    if (before !== undefined && given !== undefined && given !== before)
      throw new Exit(
        exitCodes.usage,
        `${path}: its name says database ${before}, and it has database ${given}: leave that out, or name the file ${given}.${name}.yaml`,
      )
    const database = String(before ?? given ?? usualDatabase)
    const whole = `${database}.${name}`
    const other = paths.get(whole)
    if (other !== undefined)
      throw new Exit(exitCodes.usage, `${path}: table ${whole} is in ${other}, too: keep one of the files`)
    paths.set(whole, path)
    return { path, database, name: name ?? '', settings }
  })
}

/**
 * The files of tables: NAME.yaml, and DATABASE.NAME.yaml for all but the first of several with one name, mydb's before the
 * others. A table that has a file of the longer form, by `isThere`, keeps it.
 */
export function tableFiles(
  tables: readonly Table[],
  isThere: (path: string) => boolean,
): { readonly path: string; readonly value: Values }[] {
  const taken = new Set<string>()
  return tables
    .toSorted((one, other) => Number(other.database === usualDatabase) - Number(one.database === usualDatabase))
    .map(({ database, name, settings }) => {
      const long = `tables/${database}.${name}.yaml`
      if (taken.has(name) || isThere(long)) return { path: long, value: settings }
      taken.add(name)
      return { path: `tables/${name}.yaml`, value: { ...(database !== usualDatabase && { database }), ...settings } }
    })
}

/** Why a table cannot become as the file says, where it is another one; settings are those that a table was made with. */
export function problemOfTable(settings: Values, there: Values): string | undefined {
  const wanted: Values = { ...usual, ...settings }
  const others = Object.keys(usual).filter(
    (member) =>
      codeOf(member, wanted[member]) !== codeOf(member, there[member] ?? 0) &&
      !(member === 'key_sz' && codeOf('key_type', wanted.key_type) === keyTypeLong),
  )
  if (others.length === 0) return undefined
  const told = others.map((member) => `${member} is ${shownCode(member, there[member] ?? 0)}, got ${wanted[member]}`)
  const right = others.map((member) => `${member}: ${there[member] ?? 0}`).join(', ')
  return `${told.join('; ')}: a table stays as it was made; write ${right}, or take another name`
}

/** A setting as the service shows it: a number for a name, for a text of digits, for true and false. */
function codeOf(member: string, value: unknown): unknown {
  if (typeof value === 'string' && !/^\s*\d+\s*$/.test(value)) {
    const folded = value
      .trim()
      .toUpperCase()
      .replace(/[\s_-]+/g, '_')
    return codes[member]?.[folded] ?? value
  }
  return Number(value)
}

function shownCode(member: string, code: unknown): string {
  const [name] = Object.entries(codes[member] ?? {}).find(([, each]) => each === Number(code)) ?? []
  return name === undefined ? String(code) : `${code} (${name})`
}

/** The tables of all databases, with the settings by which each is made. */
export async function tablesOf(weir: Weir): Promise<Table[]> {
  const found: Table[] = []
  const service = { base: weir.url, json: weir.call }
  const namesIn = (path: readonly string[], member: string) => listed<string>(service, { method: 'GET', path }, member)
  for await (const database of namesIn(['db'], 'databases')) {
    for await (const name of namesIn(['db', database, 'list'], 'tables')) {
      const shown = await weir.call({ method: 'GET', path: ['db', database, name] })
      // Without the flags that are off, of which a file need say nothing.
      const members = Object.keys(usual).filter((member) => usual[member] !== 0 || shown[member] !== 0)
      const settings = Object.fromEntries(members.map((member) => [member, shown[member]]))
      found.push({ database, name, settings })
    }
  }
  return found
}
