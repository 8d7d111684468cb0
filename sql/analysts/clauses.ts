import type { Token } from './lexer.ts'
import { denied, StatementRefusal, syntaxError } from './refusal.ts'

export const isWord = (token: Token | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'word' && names.includes(token.name.toUpperCase())

export const isSymbol = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'symbol' && token.text === text

const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'

/** Refuses a second statement, behind a semicolon. */
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

/** May stand behind a column, an alias or a table that is called settings, and is the name of no setting. */
const behindName: ReadonlySet<string> = new Set(
  `ALL AND ANTI ANY ARRAY AS ASC ASOF BETWEEN BY COLLATE CROSS DESC DIV ELSE END EXCEPT FILTER FINAL FORMAT FROM FULL
  GLOBAL GROUP HAVING ILIKE IN INNER INTERPOLATE INTERSECT INTO IS JOIN LEFT LIKE LIMIT MOD NOT NULLS OFFSET ON OR ORDER
  OVER PASTE PREWHERE QUALIFY REGEXP RIGHT SAMPLE SEMI SETTINGS STEP THEN TO UNION USING WHEN WHERE WINDOW WITH`.split(
    /\s+/,
  ),
)
/** Words of these that are settings too: in a list they are settings. */
const bothNames = ['FINAL', 'LIMIT', 'OFFSET']

/**
 * Whether SETTINGS begins a clause here: it does wherever a name follows, whatever stands before it (`AS AS SETTINGS x`
 * has an alias that is called AS). A name alone is a setting that is turned on.
 */
function beginsSettings(tokens: readonly Token[], i: number): boolean {
  const [token, next, after] = tokens.slice(i, i + 3)
  if (!isWord(token, 'SETTINGS') || isSymbol(tokens[i - 1], '.') || !isName(next)) return false
  if (isSymbol(after, '=') || !isWord(next, ...behindName)) return true
  return isWord(next, ...bothNames) && (after === undefined || isSymbol(after, ',') || isSymbol(after, ')'))
}

/** Takes every SETTINGS clause out: a query runs under the settings that it is granted, set before it runs. */
export function takeSettings(tokens: readonly Token[]): { tokens: Token[]; settings: Record<string, string> } {
  const kept: Token[] = []
  const settings: Record<string, string> = {}
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (!token) break
    if (!beginsSettings(tokens, i)) {
      kept.push(token)
      continue
    }
    do {
      const [name, equals, value, after] = tokens.slice(i + 1, i + 5)
      if (!isName(name)) throw syntaxError('SETTINGS takes name = value, ...')
      if (isSymbol(equals, '.')) throw denied('a setting has a plain name')
      if (!isSymbol(equals, '=')) {
        settings[name?.name ?? ''] = '1'
        i += 1
        continue
      }
      if (!value) throw syntaxError('SETTINGS takes name = value, ...')
      if (isSymbol(value, '{')) {
        let end = i + 4
        while (end < tokens.length && !isSymbol(tokens[end], '}')) end++
        if (end >= tokens.length) throw syntaxError(`the map of the setting ${name?.name} is not closed`)
        settings[name?.name ?? ''] = tokens
          .slice(i + 3, end + 1)
          .map(({ text }) => text)
          .join(' ')
        i = end
        continue
      }
      const isSigned = isSymbol(value, '-') && after?.kind === 'number'
      if (!isSigned && value.kind !== 'number' && value.kind !== 'string' && value.kind !== 'word') {
        throw denied(`the setting ${name?.name} takes a number or a text here`)
      }
      settings[name?.name ?? ''] = isSigned ? `-${after.text}` : plainValue(value)
      i += isSigned ? 4 : 3
    } while (isSymbol(tokens[i + 1], ',') && i++ < tokens.length)
  }
  return { tokens: kept, settings }
}

export const plainValue = (value: Token): string =>
  value.kind === 'string' ? value.text.slice(1, -1).replace(/\\(['\\])/g, '$1') : value.text

/** `FORMAT name` at the end, which belongs to the answer. */
export function takeFormat(tokens: readonly Token[]): { tokens: Token[]; format?: string } {
  const [word, name] = tokens.slice(-2)
  if (!isWord(word, 'FORMAT') || name?.kind !== 'word' || tokens.length < 3) return { tokens: [...tokens] }
  return { tokens: tokens.slice(0, -2), format: name.name }
}
