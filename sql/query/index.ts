/** The query language: text to statements and back. */
export type * from './ast.ts'
export { parse, parseWhere } from './parser.ts'
export { print } from './print.ts'
export { sourceOf } from './source-of.ts'
