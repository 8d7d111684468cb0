/** The graph language: text to queries, back, and to SQL. */
export type * from './ast.ts'
export { compileTriples } from './compile.ts'
export { parseGraph } from './parser.ts'
export { printGraph } from './print.ts'
