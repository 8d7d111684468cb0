/** The graph language: text to statements, back, and to SQL. */
export { algorithmColumns, relatedPairs } from './algorithm.ts'
export type * from './ast.ts'
export { decodeNode, decodeTriple, type Hears, type NewTripleBody, nodeOnWire, tripleOnWire } from './body.ts'
export { loneCount } from './check.ts'
export { shownColumns } from './columns.ts'
export {
  allowMerges,
  compactTable,
  compileLooseTables,
  type Rest,
  stopMerges,
} from './compaction.ts'
export type { GraphContext, Places, StoredRows } from './compile/context.ts'
export { hasAggregates } from './compile/needs.ts'
export { type Page, type RowPlace, rowPlace } from './compile/page.ts'
export { type CompiledQuery, compileQuery, type Shape } from './compile/query.ts'
export { compileExpansion, compileMatching, compileSizes, type Expansion } from './compile/walk/paths.ts'
export { worthCounting, worthMeasuring } from './compile/walk/plan.ts'
export {
  compileTriplesThere,
  type NewTriple,
  nodeInput,
  nodeLines,
  scoreInput,
  splitLines,
  tripleInput,
  tripleLine,
  withoutSeqs,
} from './lines.ts'
export * from './names.ts'
export * from './node-changes.ts'
export { notesOn } from './notes.ts'
export { parseGraph, parseStatement } from './parse/parser.ts'
export { printGraph } from './print/print.ts'
export * from './questions.ts'
export * from './related.ts'
export * from './statements.ts'
export { compileTriples } from './triples.ts'
