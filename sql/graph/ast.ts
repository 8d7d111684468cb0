/**
 * The graph language as values. `parser.ts` makes them, `print.ts` turns them back into text, `compile.ts` into SQL.
 * Built so far: a query for the triples of one relation, `s=>(Label:name)-[REL]->(Label:*)`.
 */
import type { Position } from '../query/ast.ts'

/** A name that is this text, or one that starts with it (`"abc$%"`). */
export type NamePattern = { readonly kind: 'is' | 'starts'; readonly text: string }

/** What is absent was `*`, which matches any. */
export type NodePattern = { readonly label?: string; readonly name?: NamePattern; readonly at: Position }

/** `out` is `-[...]->`, `in` is `<-[...]-`. */
export type EdgePattern = { readonly relation?: string; readonly direction: 'out' | 'in'; readonly at: Position }

/** As written, from left to right. */
export type WalkPattern = { readonly from: NodePattern; readonly edge: EdgePattern; readonly to: NodePattern }

export type GraphQuery = { readonly kind: 'query'; readonly token: string; readonly pattern: WalkPattern }
