import { Document, parse, visit } from 'yaml'
import { Exit, exitCodes } from '../exit-codes.ts'

export type Values = Readonly<Record<string, unknown>>

/** The members of a text in YAML; `hint` ends the sentence about one that cannot be read. */
export function yamlIn(text: string, path: string, hint = ''): Values {
  const refuse = (why: string): never => {
    throw new Exit(exitCodes.usage, `${path}: ${why}${hint}`)
  }
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0, intAsBigInt: true })
  } catch (error) {
    return refuse((error as Error).message.split('\n')[0] ?? '')
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('members and their values are expected')
  return value as Values
}

/** Texts in double quotes stand in one line, as JSON: the library's folds of long ones are read with a backslash too many. */
const form = { lineWidth: 120, aliasDuplicateObjects: false, doubleQuotedAsJSON: true }

export const toYaml = (value: unknown): string => written(value, isBlank)

/** YAML that can stand in a comment of SQL: the comment's end is written with an escape, which double quotes have alone. */
export const toYamlInComment = (value: unknown): string =>
  written(value, (text) => isBlank(text) || text.includes('*/')).replaceAll('*/', '*\\/')

/** The library's blocks of blanks alone are read without the first ones. */
const isBlank = (text: string): boolean => text.trim() === ''

/** YAML with the texts in double quotes that are to be. */
function written(value: unknown, isQuoted: (text: string) => boolean): string {
  const document = new Document(value, form)
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && isQuoted(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(form)
}
