/** A saved question as programs ask it. A key stands in none: programs read it from their environment. */
import { printJson } from '../../api/json.ts'
import { type Described, kindOf, type Parameter, placeholdersIn } from './definition.ts'

export type SampledQuestion = Pick<Described, 'name' | 'sql' | 'params'> & {
  /** `http://localhost:18080`. */
  readonly origin: string
  readonly needsKey: boolean
}

export type CallSamples = Readonly<Record<'curl' | 'line' | 'js' | 'python', string>>

const examples = {
  ...{ text: 'text', integer: 1, number: 1.5, boolean: true, date: '2026-11-29' },
  ...{ time: '2026-11-29T12:00:00Z', id: '00000000-0000-0000-0000-000000000000' },
} as const

/** A value that a parameter may have. */
function valueOf({ default: usual, values, min }: Parameter, type: string): unknown {
  const [first] = values ?? []
  const { kind, isList } = kindOf(type)
  const value = first ?? min ?? examples[kind]
  return usual ?? (isList ? [value] : value)
}

function exampleValues({ sql, params }: Pick<SampledQuestion, 'sql' | 'params'>): Readonly<Record<string, unknown>> {
  const types = new Map(placeholdersIn(sql).map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    Object.entries(params).map(([name, parameter]) => [name, valueOf(parameter, types.get(name) ?? 'String')]),
  )
}

const shell = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
const plain = (value: unknown): string => (typeof value === 'object' ? printJson(value) : String(value))

export function callSamples(question: SampledQuestion): CallSamples {
  const { name, origin, needsKey } = question
  const values = exampleValues(question)
  const names = Object.keys(values)
  const members = new URLSearchParams(names.map((each): [string, string] => [each, plain(values[each])])).toString()
  const address = `${origin}/saved/${encodeURIComponent(name)}/rows${members === '' ? '' : `?${members}`}`
  const written = names.length === 0 ? '' : printJson(values)
  const service = JSON.stringify(origin)
  return {
    curl: `curl -s ${shell(address)}${needsKey ? ' -H "x-api-key: $WEIR_KEY"' : ''}`,
    line: ['weir saved', shell(name), ...names.map((each) => shell(`${each}=${plain(values[each])}`))].join(' '),
    js: `import { connect } from 'weir-client'

const weir = connect({ url: ${service}${needsKey ? ', key: process.env.WEIR_KEY' : ''} })
for await (const row of weir.saved(${JSON.stringify(name)}).rows(${written})) console.log(row)
`,
    python: `${needsKey ? 'import os\n\n' : ''}from weir_client import Weir

weir = Weir(${service}${needsKey ? ', key=os.environ["WEIR_KEY"]' : ''})
for row in weir.saved(${JSON.stringify(name)}).rows(${pythonOf(values)}):
    print(row)
`,
  }
}

/** JSON's texts and numbers are those of Python; its words are not. */
function pythonOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (typeof value !== 'object') return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const members = Object.entries(value)
  return members.length === 0
    ? ''
    : `{${members.map(([name, each]) => `${JSON.stringify(name)}: ${pythonOf(each)}`).join(', ')}}`
}

/** How a backend gets a token for a page of its own: the page asks this question alone, with values that it cannot change. */
export function tokenSample({ name, origin, needsKey, ...question }: SampledQuestion): string {
  const body = { saved: name, fixed: exampleValues(question), expires_s: 600 }
  return `curl -s ${shell(`${origin}/keys/token`)}${needsKey ? ' -H "x-api-key: $WEIR_KEY"' : ''} -d ${shell(printJson(body))}`
}
