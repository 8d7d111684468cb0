/** The graph language: text to queries and back. */
export type * from './ast.ts'
export { parseGraph } from './parser.ts'
export { printGraph } from './print.ts'
