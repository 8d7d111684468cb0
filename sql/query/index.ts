/** The query language: text to statements and back. */
export type * from './ast.ts'
export { parse } from './parser.ts'
export { pathsOf } from './paths-of.ts'
export { print } from './print.ts'
export { sourceOf } from './source-of.ts'
