import { type SourceText, shown } from '../query/source-text.ts'

export type Token = {
  readonly kind: 'number' | 'text' | 'attribute' | 'word' | 'symbol' | 'end'
  readonly text: string
  readonly offset: number
}

const blanks = /\s*/y
const name = '[A-Za-z_][A-Za-z0-9_]*'
const patterns = [
  { kind: 'number', pattern: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y },
  { kind: 'attribute', pattern: new RegExp(`\\$${name}(?:\\.${name})*|\\$"[^"]+"|\\$'[^']+'`, 'y') },
  { kind: 'text', pattern: /'(?:[^']|'')*'/y },
  { kind: 'word', pattern: new RegExp(name, 'y') },
  { kind: 'symbol', pattern: /[<>!]=|<>|[-+*/%(),=<>]/y },
] as const

const problems: Readonly<Record<string, string>> = {
  $: "expected a name after '$'",
  "'": 'a text begins here and has no end: texts stand in single quotes, and a quote within is doubled',
}

const tokenAt = (source: SourceText, offset: number): Token => {
  for (const { kind, pattern } of patterns) {
    const text = source.match(pattern, offset)
    if (text !== '') return { kind, text, offset }
  }
  const character = String.fromCodePoint(source.text.codePointAt(offset) ?? 0)
  throw source.refusal(offset, problems[character] ?? `unexpected '${shown(character)}'`)
}

/** The last token is always `end`. */
export function tokenize(source: SourceText, from = 0, to = source.text.length): readonly Token[] {
  const tokens: Token[] = []
  const skipBlanks = (offset: number) => Math.min(to, offset + source.match(blanks, offset).length)
  let offset = skipBlanks(from)
  while (offset < to) {
    const token = tokenAt(source, offset)
    tokens.push(token)
    offset = skipBlanks(offset + token.text.length)
  }
  tokens.push({ kind: 'end', text: '', offset: Math.min(offset, to) })
  return tokens
}
