import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { Exit, exitCodes } from './exit-codes.ts'

type Form = { readonly type?: string; readonly required?: boolean; readonly values?: readonly string[] }
type Stream = {
  readonly attributes?: Readonly<Record<string, Form | string>>
  readonly compute?: Readonly<Record<string, Form>>
}

const typeNames: Readonly<Record<string, string>> = {
  text: 'string',
  integer: 'number | bigint',
  number: 'number',
  boolean: 'boolean',
}

/** TypeScript for the schemas of these files of words: a type of each stream's events as they are sent, and as they are asked. */
export function typesOf(files: readonly string[]): string {
  const parts = ['// Made by `weir types`. Changes to this file are lost.', '']
  for (const file of files) {
    const { schema, streams } = wordsIn(file)
    for (const [name, stream] of Object.entries(streams))
      parts.push(...typesOfStream(`${pascal(schema)}${pascal(name)}`, stream))
  }
  return `${parts.join('\n')}`
}

function wordsIn(file: string): { schema: string; streams: Record<string, Stream> } {
  const words: unknown = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 })
  const { schema, streams } = (typeof words === 'object' && words !== null ? words : {}) as {
    schema?: unknown
    streams?: unknown
  }
  if (typeof schema !== 'string' || typeof streams !== 'object' || streams === null) {
    throw new Exit(exitCodes.usage, `${file} is no definition in words: it has no schema and streams`)
  }
  return { schema, streams: streams as Record<string, Stream> }
}

function typesOfStream(name: string, { attributes = {}, compute = {} }: Stream): string[] {
  const member = (attribute: string, form: Form | string): string => {
    const isRequired = typeof form === 'object' && form.required === true
    const type = typeOf(form)
    return `  readonly ${JSON.stringify(attribute)}${isRequired ? '' : '?'}: ${isRequired ? type : `${type} | null`}`
  }
  const own = Object.entries(attributes).map(([attribute, form]) => member(attribute, form))
  const made = Object.entries(compute).map(([attribute, form]) => member(attribute, form))
  return [
    `export type ${name}Event = {`,
    ...own,
    '  readonly _pk?: number | bigint | string',
    '  readonly _id?: string',
    '}',
    `export type ${name}Row = Omit<${name}Event, '_pk' | '_id'> & {`,
    ...made,
    '  readonly _pk: number | bigint',
    '  readonly _time: string',
    '  readonly _v: number',
    '}',
    '',
  ]
}

function typeOf(form: Form | string): string {
  if (typeof form === 'string') return typeNames[form] ?? 'unknown'
  if (form.values) return form.values.map((value) => JSON.stringify(value)).join(' | ')
  return typeNames[form.type ?? ''] ?? 'unknown'
}

const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
