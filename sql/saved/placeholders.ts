/** The places of parameters in the text of a question, `{country:String}`: those of both languages. */
import { type Json, writeJson } from '../../base/json.ts'
import { isSymbol, isWord, oneStatement } from '../analysts/clauses.ts'
import { written as writtenSql } from '../analysts/filters.ts'
import { type Token as SqlToken, tokenize } from '../analysts/lexer.ts'
import { readToken, type Token } from '../query/lexer.ts'
import { createSourceText } from '../query/source-text.ts'

/** A type as the text has it. */
export type Placeholder = { readonly name: string; readonly type: string }

/** Types have few parts: what is longer is none. */
const maxParts = 20

/** The parameters in a statement of SQL. */
export function placeholdersOfSql(tokens: readonly SqlToken[]): Placeholder[] {
  const found: Placeholder[] = []
  tokens.forEach((token, at) => {
    const [name, colon] = tokens.slice(at + 1, at + 3)
    if (!isSymbol(token, '{') || name?.kind !== 'word' || !isSymbol(colon, ':')) return
    const parts = tokens.slice(at + 3, at + 3 + maxParts)
    const end = parts.findIndex((part) => isSymbol(part, '}'))
    const type = parts.slice(0, end < 0 ? parts.length : end).map(({ text }) => text)
    found.push({ name: name.name, type: type.join('') })
  })
  return found
}

/** Whether a statement combines others: a setting for the number of rows is then one of each of them. */
export function isCombined(sql: string): boolean {
  let depth = 0
  return tokenize(sql).some((token) => {
    if (isSymbol(token, '(')) depth++
    if (isSymbol(token, ')')) depth--
    return depth === 0 && isWord(token, 'UNION', 'INTERSECT', 'EXCEPT')
  })
}

/** A statement as it stands in brackets: without a semicolon behind it. */
export function withoutEnd(sql: string): string {
  const tokens = tokenize(sql)
  const statement = oneStatement(tokens)
  return statement.length < tokens.length ? writtenSql(statement) : sql
}

type PlacedPlaceholder = Placeholder & { readonly start: number; readonly end: number }

/** The parameters in a statement of Weir's language, with their places. */
export function placeholdersOfWeir(text: string): PlacedPlaceholder[] {
  const source = createSourceText(text)
  const found: PlacedPlaceholder[] = []
  let token = readToken(source, 0)
  while (token.kind !== 'end') {
    const next = isStray(token, '{') ? placeholderAt(source, token) : undefined
    if (next) found.push(next)
    token = readToken(source, next?.end ?? token.end)
  }
  return found
}

const isStray = (token: Token, text: string): boolean => token.kind === 'stray' && token.text === text

function placeholderAt(
  source: ReturnType<typeof createSourceText>,
  { start, end }: Token,
): PlacedPlaceholder | undefined {
  const name = readToken(source, end)
  const colon = readToken(source, name.end)
  if (name.kind !== 'name' || colon.kind !== 'symbol' || colon.text !== ':') return undefined
  let part = readToken(source, colon.end)
  const type: string[] = []
  while (part.kind !== 'end' && !isStray(part, '}') && type.length < maxParts) {
    type.push(source.text.slice(part.start, part.end))
    part = readToken(source, part.end)
  }
  if (!isStray(part, '}')) throw source.refusal(start, 'this { has no } behind a name and a type: {country:String}')
  return { name: name.text, type: type.join(''), start, end: part.end }
}

/** A value as Weir's language writes it: a text in quotes with its escapes, those of all control characters, a number, true or false. */
const written = (value: Json): string =>
  writeJson(value).replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)

/** The statement with the values in the places of its parameters, each as one token of the language. */
export function bindInWeir(text: string, values: Readonly<Record<string, Json>>): string {
  const pieces: string[] = []
  let from = 0
  for (const { name, start, end } of placeholdersOfWeir(text)) {
    pieces.push(text.slice(from, start), written(values[name] ?? null))
    from = end
  }
  return pieces.join('') + text.slice(from)
}
