/** The colours of words: as much as tells words of a language from names, texts and numbers. */

export type LanguageName = 'weir' | 'sql' | 'graph' | 'json' | 'yaml'

export type Kind = 'keyword' | 'name' | 'function' | 'string' | 'number' | 'label' | 'comment' | 'mark'

/** A part of a text that has a colour of its own. */
export type Token = { readonly from: number; readonly to: number; readonly kind: Kind }

type Rule = readonly [pattern: RegExp, kind: Kind | undefined | ((word: string, next: string) => Kind | undefined)]

const weirWords =
  /^(?:select|from|where|and|or|limit|groupby|group|by|rollup|insert|into|values|update|set|delete|revidx|null|true|false|usage)$/i
const sqlWords =
  /^(?:select|distinct|from|final|sample|prewhere|where|group|by|having|order|limit|offset|with|as|on|using|join|left|right|full|inner|outer|cross|any|all|asof|semi|anti|union|except|intersect|and|or|not|in|like|ilike|between|is|null|case|when|then|else|end|format|settings|asc|desc|nulls|first|last|interval|array|show|tables|databases|describe|exists|explain|totals|rollup|cube|over|partition|rows|range|qualify|fill|true|false)$/i
const graphWords =
  /^(?:RETURN|WHERE|AND|OR|AS|LIMIT|SORT_ASC|SORT_DESC|EXCLUDE_GROUPBY|CREATE|MERGE|DELETE|ADD|SUBTRACT|JOIN|LEFT_JOIN|APPEND|USING|SYMM|ASYMM|DISTINCT|UNIQUE|UNIQUE_IN_CONTEXT|UNIQUE_SELECT|NA|NULL)$/
const graphFunctions = /^(?:COUNT|UCOUNT|SUM|AVG|MIN|MAX|STD|SKEW|EXKURT|MATH_EXP)$/

const blank: Rule = [/\s+/y, undefined]
const doubleQuoted = /"(?:[^"\\\n]|\\.)*"?/y
const singleQuoted = /'(?:[^'\\\n]|\\.)*'?/y
const number: Rule = [/\d[\w.]*/y, 'number']
const comment: Rule = [/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/y, 'comment']
const operator: Rule = [/[-+*/%=<>!~|&(){}[\],;:.]/y, 'mark']

const statement = (
  words: RegExp,
  quoted: Kind,
  isFunction: (word: string, next: string) => boolean,
): readonly Rule[] => [
  blank,
  comment,
  [doubleQuoted, quoted],
  [singleQuoted, 'string'],
  number,
  [
    /[\p{L}_$][\p{L}\w$]*/uy,
    (word, next) => (words.test(word) ? 'keyword' : isFunction(word, next) ? 'function' : undefined),
  ],
  operator,
]

const isCalled = (_: string, next: string): boolean => next.startsWith('(')

function kindInYaml(word: string, next: string): Kind | undefined {
  if (/^:(?:\s|$)/.test(next)) return 'name'
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return 'number'
  return /^(?:true|false|null)$/.test(word) ? 'keyword' : undefined
}

const rules: Readonly<Record<LanguageName, readonly Rule[]>> = {
  weir: statement(weirWords, 'string', isCalled),
  sql: [[/--[^\n]*/y, 'comment'], [/`[^`\n]*`?/y, undefined], ...statement(sqlWords, 'name', isCalled)],
  graph: [
    [/@\w*/y, 'label'],
    [/#\w*/y, 'keyword'],
    ...statement(graphWords, 'string', (word) => graphFunctions.test(word)),
  ],
  json: [
    blank,
    [doubleQuoted, (_, next) => (next.startsWith(':') ? 'name' : 'string')],
    [/-?\d[\w.+-]*/y, 'number'],
    [/\w+/y, (word) => (/^(?:true|false|null)$/.test(word) ? 'keyword' : undefined)],
    [/[{}[\],:]/y, 'mark'],
  ],
  yaml: [
    blank,
    [/(?<![^\s])#[^\n]*/y, 'comment'],
    [doubleQuoted, (_, next) => (next.startsWith(':') ? 'name' : 'string')],
    [/'[^'\n]*'?/y, 'string'],
    [/[\p{L}\w.$@/+-]+/uy, kindInYaml],
    [/[{}[\],:|>]/y, 'mark'],
  ],
}

/** A longer text stays in one colour. */
const maxColoured = 200_000

export function tokensOf(language: LanguageName, text: string): readonly Token[] {
  const tokens: Token[] = []
  for (let from = 0; from < text.length && text.length <= maxColoured; ) {
    const [to, kind] = tokenAt(rules[language], text, from)
    const last = tokens.at(-1)
    if (kind === 'mark' && last?.kind === kind && last.to === from) tokens[tokens.length - 1] = { ...last, to }
    else if (kind !== undefined) tokens.push({ from, to, kind })
    from = to
  }
  return tokens
}

function tokenAt(all: readonly Rule[], text: string, from: number): readonly [to: number, kind: Kind | undefined] {
  for (const [pattern, kind] of all) {
    pattern.lastIndex = from
    if (!pattern.test(text)) continue
    const to = pattern.lastIndex
    return [to, typeof kind === 'function' ? kind(text.slice(from, to), text.slice(to, to + 2)) : kind]
  }
  return [from + 1, undefined]
}
