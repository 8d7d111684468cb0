/** docs/glossary.md and, for the wire form of schemas, docs/wire.md have every word of the document of all calls, and no other. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import * as codes from '../../sql/schema/codes.ts'

type Schema = {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}
type Content = Readonly<Record<string, { readonly schema: Schema; readonly 'x-line'?: Schema }>>
type Response = { readonly $ref?: string; readonly content?: Content }
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const [glossary, wire] = [read('docs/glossary.md'), read('docs/wire.md')]
const document: Document = JSON.parse(read('docs/openapi.json'))
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

const lastStep = (ref: string): string => ref.split('/').at(-1) ?? ''

/** The names of the members of a schema, and of all that is in it. */
function addMembers(schema: Schema, found: Set<string>, above: ReadonlySet<string> = new Set()): void {
  if (schema.$ref !== undefined) {
    const name = lastStep(schema.$ref)
    const named = document.components.schemas[name]
    if (named && !above.has(name)) addMembers(named, found, new Set([...above, name]))
  }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    found.add(name)
    addMembers(member, found, above)
  }
  const { items, additionalProperties: more } = schema
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  for (const part of [...parts, ...(items ? [items] : []), ...(typeof more === 'object' ? [more] : [])])
    addMembers(part, found, above)
}

function membersOf(contents: readonly (Content | undefined)[]): Set<string> {
  const found = new Set<string>()
  for (const content of contents) {
    for (const { schema, 'x-line': line } of Object.values(content ?? {})) {
      addMembers(schema, found)
      if (line) addMembers(line, found)
    }
  }
  return found
}

const bodies = operations.map(({ requestBody }) => requestBody?.content)
const answers = operations.flatMap(({ responses }) =>
  Object.values(responses).map(({ $ref, content }) =>
    $ref === undefined ? content : document.components.responses[lastStep($ref)]?.content,
  ),
)

/** The cells of the rows of the table below a heading of a page. */
function tableBelow(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
  return rows.slice(1)
}

const wordsIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
const wordsBelow = (page: string, heading: string): string[] =>
  tableBelow(page, heading).flatMap(([cell]) => wordsIn(cell))
const tablesOfMembers = [
  tableBelow(glossary, 'Members of requests and answers'),
  tableBelow(wire, 'Members of a schema'),
  tableBelow(wire, 'Members of rows'),
]
const memberWords = tablesOfMembers.flat().flatMap(([cell]) => wordsIn(cell))

const missingIn = (words: readonly string[], wanted: Iterable<string>): string[] => {
  const known = new Set(words)
  return [...wanted].filter((word) => !known.has(word)).toSorted()
}

test('every member of a request body stands in the glossary, or on the page of the wire form', (t) => {
  const members = membersOf(bodies)
  t.true(members.size > 120, `${members.size}`)
  t.deepEqual(missingIn(memberWords, members), [])
})

test('every member of an answer stands in the glossary, or on the page of the wire form', (t) => {
  const members = membersOf(answers)
  t.true(members.size > 120, `${members.size}`)
  t.deepEqual(missingIn(memberWords, members), [])
})

test('every parameter and header of a call stands in the glossary', (t) => {
  const parameters = operations
    .flatMap(({ parameters = [] }) => parameters)
    .filter((parameter) => parameter.in !== 'path')
    .map(({ name }) => name)
  t.deepEqual(missingIn(wordsBelow(glossary, 'Parameters and headers'), new Set(parameters)), [])
})

test('the two pages have no member that no call has, and each once, in the order of letters', (t) => {
  t.deepEqual(missingIn([...membersOf([...bodies, ...answers])], memberWords), [])
  t.is(new Set(memberWords).size, memberWords.length)
  for (const table of tablesOfMembers) {
    const firsts = table.map(([cell]) => wordsIn(cell)[0]?.toLowerCase() ?? '')
    t.deepEqual(firsts, firsts.toSorted())
  }
})

test('each row says what the word means, its type and where it stands', (t) => {
  const empty = tablesOfMembers.flat().filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))
  t.deepEqual(empty, [])
})

test('every code that a request may hold stands on the two pages, with its number', (t) => {
  const cells = [glossary, wire].flatMap((page) => tableBelow(page, 'Codes')).map(([, cell = '']) => cell)
  const tables = Object.values(codes).filter((table) => typeof table === 'object')
  t.true(tables.length > 12, `${tables.length}`)
  for (const { entries } of tables) {
    const forms = entries.map(([number, name]) => (number === null ? name : `${number} ${name}`))
    const isIn = (cell: string) => forms.every((form) => new RegExp(`(^|[ (])${form}\\b`).test(cell))
    t.true(cells.some(isIn), forms.join(', '))
  }
})
