/** How words are coloured: as much as tells words of a language from names, texts and numbers. */
import { StreamLanguage, type StringStream } from '@codemirror/language'

export type LanguageName = 'weir' | 'sql' | 'graph'

type State = { isInComment: boolean }

const weirWords =
  /^(?:select|from|where|and|or|limit|groupby|group|by|rollup|insert|into|values|update|set|delete|revidx|null|true|false|usage)$/i
const sqlWords =
  /^(?:select|distinct|from|final|sample|prewhere|where|group|by|having|order|limit|offset|with|as|on|using|join|left|right|full|inner|outer|cross|any|all|asof|semi|anti|union|except|intersect|and|or|not|in|like|ilike|between|is|null|case|when|then|else|end|format|settings|asc|desc|nulls|first|last|interval|array|show|tables|databases|describe|exists|explain|totals|rollup|cube|over|partition|rows|range|qualify|fill|true|false)$/i
const graphWords =
  /^(?:RETURN|WHERE|AND|OR|AS|LIMIT|SORT_ASC|SORT_DESC|EXCLUDE_GROUPBY|CREATE|MERGE|DELETE|ADD|SUBTRACT|JOIN|LEFT_JOIN|APPEND|USING|SYMM|ASYMM|DISTINCT|UNIQUE|UNIQUE_IN_CONTEXT|UNIQUE_SELECT|NA|NULL)$/
const graphFunctions = /^(?:COUNT|UCOUNT|SUM|AVG|MIN|MAX|STD|SKEW|EXKURT|MATH_EXP)$/

const words: Readonly<Record<LanguageName, RegExp>> = { weir: weirWords, sql: sqlWords, graph: graphWords }

function token(name: LanguageName, stream: StringStream, state: State): string | null {
  if (state.isInComment) {
    if (stream.skipTo('*/')) {
      stream.match('*/')
      state.isInComment = false
    } else stream.skipToEnd()
    return 'comment'
  }
  if (stream.eatSpace()) return null
  if (name === 'sql' && stream.match('--')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (name === 'sql' && stream.match('/*')) {
    state.isInComment = true
    return 'comment'
  }
  if (stream.match(/^"(?:[^"\\]|\\.|"")*"?/)) return name === 'sql' ? 'variableName' : 'string'
  if (stream.match(/^'(?:[^'\\]|\\.|'')*'?/)) return 'string'
  if (stream.match(/^`[^`]*`?/)) return 'variableName'
  if (name === 'graph' && stream.match(/^@\w*/)) return 'labelName'
  if (name === 'graph' && stream.match(/^#\w*/)) return 'keyword'
  if (stream.match(/^\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/i)) return 'number'
  if (stream.match(/^[\p{L}_$][\p{L}\w$]*/u)) {
    const word = stream.current()
    if (words[name].test(word)) return 'keyword'
    const isCalled = stream.match(/^\s*\(/, false)
    if (name === 'graph' ? graphFunctions.test(word) : isCalled) return 'variableName.function'
    return 'variableName'
  }
  if (stream.match(/^(?:=>|<-|->|[-+*/%=<>!~|&]+)/)) return 'operator'
  stream.next()
  return 'punctuation'
}

const languageOf = (name: LanguageName) =>
  StreamLanguage.define<State>({
    name,
    startState: () => ({ isInComment: false }),
    token: (stream, state) => token(name, stream, state),
    languageData: {
      closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
      ...(name === 'sql' && { commentTokens: { line: '--' } }),
    },
    tokenTable: {},
  })

export const languages = { weir: languageOf('weir'), sql: languageOf('sql'), graph: languageOf('graph') } as const
