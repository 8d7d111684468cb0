/** A question as its file has it. */
type Question = { readonly sql?: unknown; readonly db?: unknown; readonly language?: unknown }

// Each alternative ends where the text does, so that a text is read once, whatever it lacks an end of.
const comments = String.raw`--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const heredoc = String.raw`\$(?<tag>\w*)\$[\s\S]*?(?:\$\k<tag>\$|$)`
const quoted = (quote: string): string => String.raw`${quote}(?:[^${quote}\\]+|\\[\s\S]|${quote}${quote})*${quote}?`
const word = String.raw`[\w$\u0080-\uffff]+`

/** ClickHouse's SQL, whose names may be quoted, and Weir's own language, in which both quotes make a text. */
const languages = {
  sql: new RegExp(
    [
      `(?<skipped>\\s+|${comments})`,
      `(?<text>${quoted("'")}|${heredoc})`,
      `(?<quoted>${quoted('`')}|${quoted('"')})`,
      `(?<word>${word})`,
      '[\\s\\S]',
    ].join('|'),
    'g',
  ),
  weir: new RegExp(`(?<skipped>\\s+)|(?<text>${quoted("'")}|${quoted('"')})|(?<word>${word})|[\\s\\S]`, 'g'),
}

/**
 * Whether a question names a thing of the schema, quoted or not, or has it as its database. Comments and texts name nothing.
 * An alias of that name is taken for the schema.
 */
export function asksOf({ sql, db, language }: Question, schema: string): boolean {
  if (db === schema) return true
  // Of the token before: whether it is the schema's name, with no dot before it, and whether it is a dot.
  let [isName, isDot] = [false, false]
  for (const { 0: token, groups } of String(sql).matchAll(languages[language === 'weir' ? 'weir' : 'sql'])) {
    if (groups?.skipped !== undefined) continue
    if (token === '.' && isName) return true
    const name = groups?.word ?? nameIn(groups?.quoted)
    ;[isName, isDot] = [name === schema && !isDot, token === '.']
  }
  return false
}

/** Names of schemas have nothing that is escaped. */
const nameIn = (quoted: string | undefined): string | undefined => quoted?.slice(1, -1)
