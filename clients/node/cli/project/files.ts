import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Exit, exitCodes } from '../exit-codes.ts'
import { questionIn } from './questions.ts'
import { type ProjectTable, tablesIn } from './tables.ts'
import { type Values, yamlIn } from './yaml.ts'

/** A file of the project: its place in the folder, and what is in it. */
export type Piece = { readonly path: string; readonly name: string; readonly value: Values; readonly text: string }

export type Test = {
  readonly path: string
  readonly name: string
  /** One of them; with `graph`, the name of a graph, `query` is in its language. */
  readonly sql?: string
  readonly query?: string
  readonly saved?: string
  readonly graph?: string
  readonly params?: Values
  readonly rows: readonly unknown[]
  /** How long the question is asked again until its rows are these. */
  readonly within_s: number
}

/** The definitions of a folder. */
export type Project = {
  readonly folder: string
  readonly name: string
  readonly url?: string
  readonly tables: readonly ProjectTable[]
  readonly schemas: readonly Piece[]
  readonly notifications: readonly Piece[]
  readonly saved: readonly Piece[]
  readonly hooks: readonly Piece[]
  /** Events of a stream, `S.ST`, or records of a table of the project, `D.T`. */
  readonly fixtures: readonly { readonly path: string; readonly place: string }[]
  readonly tests: readonly Test[]
}

/** Reads a project's folder; files of other kinds in it are passed over. */
export function readProject(folder: string): Project {
  const top = join(folder, 'weir.yaml')
  if (!existsSync(top))
    throw new Exit(
      exitCodes.usage,
      `there is no project in ${resolve(folder)}: it has no weir.yaml; -C names another folder, weir init makes one`,
    )
  const { name, url, ...others } = yamlOf(top)
  const unknown = Object.keys(others)
  if (unknown.length > 0)
    throw new Exit(exitCodes.usage, `weir.yaml: ${unknown.join(', ')} is not known; it has name and url`)
  if (typeof name !== 'string') throw new Exit(exitCodes.usage, 'weir.yaml: name is missing: the name of the project')
  return {
    folder,
    name,
    ...(typeof url === 'string' && { url }),
    tables: tablesIn(pieces(folder, 'tables', '.yaml', yamlIn)),
    schemas: pieces(folder, 'schemas', '.yaml', yamlIn),
    notifications: pieces(folder, 'notifications', '.yaml', yamlIn),
    saved: pieces(folder, 'saved', '.sql', questionIn),
    hooks: pieces(folder, 'hooks', '.yaml', yamlIn),
    fixtures: filesIn(folder, 'fixtures', '.ndjson').map((path) => ({ path, place: nameOf(path, '.ndjson') })),
    tests: filesIn(folder, 'tests', '.yaml').flatMap((path) => testsIn(join(folder, path), path)),
  }
}

function pieces(folder: string, of: string, ending: string, read: (text: string, path: string) => Values): Piece[] {
  return filesIn(folder, of, ending).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    return { path, name: nameOf(path, ending), text, value: read(text, path) }
  })
}

const filesIn = (folder: string, of: string, ending: string): string[] =>
  existsSync(join(folder, of))
    ? readdirSync(join(folder, of))
        .filter((file) => file.endsWith(ending) && !file.startsWith('.'))
        .toSorted()
        .map((file) => `${of}/${file}`)
    : []

const nameOf = (path: string, ending: string): string => path.slice(path.indexOf('/') + 1, -ending.length)

const yamlOf = (file: string): Values => yamlIn(readFileSync(file, 'utf8'), file)

function testsIn(file: string, path: string): Test[] {
  const all = yamlOf(file)
  return Object.entries(all).map(([name, value]) => {
    const test = value as Omit<Test, 'path' | 'name' | 'within_s'> & { readonly within?: string }
    const questions = ['sql', 'query', 'saved'].filter(
      (kind) => test !== null && typeof test === 'object' && kind in test,
    )
    if (questions.length !== 1)
      throw new Exit(exitCodes.usage, `${path}: ${name}: one of sql, query and saved is expected`)
    if (!Array.isArray(test.rows))
      throw new Exit(exitCodes.usage, `${path}: ${name}: rows is missing: the rows that are expected`)
    const unknown = Object.keys(test).filter((member) => !membersOfTests.has(member))
    if (unknown.length > 0)
      throw new Exit(
        exitCodes.usage,
        `${path}: ${name}: ${unknown.join(', ')} is not known; a test has ${[...membersOfTests].join(', ')}`,
      )
    if (test.graph !== undefined && test.query === undefined)
      throw new Exit(exitCodes.usage, `${path}: ${name}: graph names a graph, and query, its question, is missing`)
    return { ...test, path, name, within_s: secondsOf(test.within, `${path}: ${name}`) }
  })
}

const membersOfTests = new Set(['sql', 'query', 'saved', 'graph', 'params', 'rows', 'within'])

function secondsOf(within: string | undefined, where: string): number {
  if (within === undefined) return 0
  const [, digits, unit] = /^(\d{1,4})(s|m)$/.exec(String(within)) ?? []
  if (digits === undefined)
    throw new Exit(exitCodes.usage, `${where}: within is a time such as 10s or 2m, and is ${within}`)
  return Number(digits) * (unit === 'm' ? 60 : 1)
}
