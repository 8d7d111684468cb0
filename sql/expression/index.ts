export type { Expression } from './ast.ts'
export { attributesOf } from './attributes.ts'
export { type CompiledExpression, compileExpression, type GetNumber } from './compile.ts'
export { parseExpression } from './parser.ts'
