export type { Expression } from './ast.ts'
export { attributesOf, sizeOf } from './attributes.ts'
export { type CompiledExpression, compileExpression, type GetNumber } from './compile.ts'
export { type ExpressionLanguage, graphExpressions, parseExpression, parseExpressionIn } from './parser.ts'
