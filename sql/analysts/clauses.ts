import type { Token } from './lexer.ts'
import { denied, StatementRefusal, syntaxError } from './refusal.ts'

export const isWord = (token: Token | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'word' && names.includes(token.name.toUpperCase())

export const isSymbol = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'symbol' && token.text === text

const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'

/** One statement: what stands behind a semicolon would be another. */
export function oneStatement(tokens: readonly Token[]): Token[] {
  const end = tokens.findIndex((token) => isSymbol(token, ';'))
  if (end < 0) return [...tokens]
  if (tokens.slice(end).every((token) => isSymbol(token, ';'))) return tokens.slice(0, end)
  throw syntaxError('Multi-statements are not allowed: one statement a request')
}

/** `{name:Type}`: those of type Identifier become the name that was given, the others are ClickHouse's to bind. */
export function bindParameters(
  tokens: readonly Token[],
  params: Readonly<Record<string, string>>,
): { tokens: Token[]; used: Set<string> } {
  const bound: Token[] = []
  const used = new Set<string>()
  for (let i = 0; i < tokens.length; i++) {
    const [token, name, colon, type] = tokens.slice(i, i + 4)
    if (!token) break
    const isParameter = isSymbol(token, '{') && name?.kind === 'word' && isSymbol(colon, ':')
    const value = isParameter && Object.hasOwn(params, name.name) ? params[name.name] : undefined
    if (isParameter && value === undefined) {
      throw new StatementRefusal(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name.name}\` is not set`)
    }
    if (value !== undefined && isWord(type, 'IDENTIFIER')) {
      if (!/^[\w .()%-]{1,200}$/.test(value)) throw syntaxError(`the parameter ${name?.name} is no name`)
      bound.push({ kind: 'quoted', text: `\`${value}\``, name: value, isApart: true })
      i += 4
      if (!isSymbol(tokens[i], '}')) throw syntaxError(`the parameter ${name?.name} is not closed`)
      continue
    }
    if (isParameter && name) used.add(name.name)
    bound.push(token)
  }
  return { tokens: bound, used }
}

/** Takes every SETTINGS clause out: a query runs under the settings that it is granted, written at its end. */
export function takeSettings(tokens: readonly Token[]): { tokens: Token[]; settings: Record<string, string> } {
  const kept: Token[] = []
  const settings: Record<string, string> = {}
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (!token) break
    const before = tokens[i - 1]
    const isClause =
      isWord(token, 'SETTINGS') &&
      isName(tokens[i + 1]) &&
      isSymbol(tokens[i + 2], '=') &&
      !isSymbol(before, '.') &&
      !isWord(before, 'AS')
    if (!isClause) {
      kept.push(token)
      continue
    }
    do {
      const [name, equals, value, after] = tokens.slice(i + 1, i + 5)
      if (!isName(name) || !isSymbol(equals, '=') || !value) throw syntaxError('SETTINGS takes name = value, ...')
      const isSigned = isSymbol(value, '-') && after?.kind === 'number'
      if (!isSigned && value.kind !== 'number' && value.kind !== 'string' && value.kind !== 'word') {
        throw denied(`the setting ${name?.name} takes a number or a text here`)
      }
      settings[name?.name ?? ''] = isSigned ? `-${after.text}` : plainValue(value)
      i += isSigned ? 4 : 3
    } while (
      isSymbol(tokens[i + 1], ',') &&
      isName(tokens[i + 2]) &&
      isSymbol(tokens[i + 3], '=') &&
      i++ < tokens.length
    )
  }
  return { tokens: kept, settings }
}

const plainValue = (value: Token): string =>
  value.kind === 'string' ? value.text.slice(1, -1).replace(/\\(['\\])/g, '$1') : value.text

/** `FORMAT name` at the end, which belongs to the answer. */
export function takeFormat(tokens: readonly Token[]): { tokens: Token[]; format?: string } {
  const [word, name] = tokens.slice(-2)
  if (!isWord(word, 'FORMAT') || name?.kind !== 'word' || tokens.length < 3) return { tokens: [...tokens] }
  return { tokens: tokens.slice(0, -2), format: name.name }
}
