/** A query as one statement: a line a row, its JSON text, and behind a tab where to go on where LIMIT leaves rows. */
import { createParams } from '../../query/compile/condition.ts'
import type { SqlStatement } from '../../statement.ts'
import type { GraphQuery } from '../ast.ts'
import { withoutAcross } from '../references.ts'
import { compileAggregates } from './aggregates.ts'
import type { GraphContext, QueryContext } from './context.ts'
import { compileItems } from './items.ts'
import { hasAggregates } from './needs.ts'
import { compilePage, type Page } from './page.ts'
import type { Source, Window } from './source.ts'
import { compileNodes, compileTriples } from './unselected.ts'
import { isNarrow, planWalk, sideOf } from './walk/plan.ts'

export type Shape = 'rows' | 'triple' | 'nodes'
export type CompiledQuery = { readonly shape: Shape; readonly statement: SqlStatement }

/** Throws a `PlacedRefusal` for a fault that only the graph shows. */
export function compileQuery(asked: GraphQuery, context: GraphContext, page: Page): CompiledQuery {
  const params = createParams()
  const { query, across } = withoutAcross(asked)
  const window = across.length > 0 ? undefined : windowWithin(query, page)
  const { shape, source, whereDone } = sourceOf({
    ...context,
    params,
    query,
    across,
    isPlaced: page.places === true,
    ...(window && { window }),
  })
  const { modifier, returning } = query
  const text = compilePage(source, {
    page: {
      ...page,
      settings: {
        ...page.settings,
        ...source.settings,
        ...(readsForwards(query, context) && forwards),
        ...(window && readsInOrder(query, context) && inOrder),
      },
    },
    params,
    isDistinct: modifier?.kind === 'DISTINCT' || modifier?.kind === 'UNIQUE_SELECT',
    ...(returning?.where && !whereDone && { where: returning.where }),
    ...(returning?.sort && { sort: returning.sort }),
  })
  return { shape, statement: { text, params: params.params } }
}

/** Small blocks, one after the other: else ClickHouse reads far more ahead than a window takes. */
const inOrder = {
  optimize_read_in_order: 1,
  optimize_use_projections: 0,
  max_block_size: 8192,
  read_in_order_use_buffering: 0,
}

/** The projection by objects does not help, and ClickHouse need not ask whether it does. */
const forwards = { optimize_use_projections: 0 }

/** Whether each step goes from few subjects to their objects. */
function readsForwards({ pattern, modifier }: GraphQuery, { sizes }: GraphContext): boolean {
  const { start, steps } = planWalk(pattern, sizes)
  const first = pattern.nodes[start]
  if (first === undefined || !isNarrow(first) || modifier?.kind === 'SYMM' || modifier?.kind === 'ASYMM') return false
  return steps.length > 0 && steps.every((step) => sideOf(step, step.near) === 'subject' && !step.link.edge.call)
}

/** Nodes, and relations that start at the subject, come in the order of their table. */
function readsInOrder({ pattern }: GraphQuery, { sizes }: GraphContext): boolean {
  const [step] = planWalk(pattern, sizes).steps
  return step === undefined || sideOf(step, step.near) === 'subject'
}

/** A page's rows are the first walks where each walk is a row, in the order of their keys. */
function windowWithin(query: GraphQuery, { rows, after, at }: Page): Window | undefined {
  const { pattern, modifier, returning } = query
  if (rows === undefined || pattern.links.length > 1 || modifier || hasAggregates(query)) return undefined
  if (at !== undefined || returning?.where || returning?.sort) return undefined
  return { rows, ...(after && { after: after[3] }) }
}

function sourceOf(context: QueryContext): { shape: Shape; source: Source; whereDone?: true } {
  const { pattern, returning } = context.query
  const isNode = pattern.links.length === 0
  if (returning && returning.items !== '*') {
    return hasAggregates(context.query)
      ? { shape: 'rows', source: compileAggregates(context, returning), whereDone: true }
      : { shape: 'rows', source: compileItems(context, returning) }
  }
  if (!isNode) return { shape: 'triple', source: compileTriples(context, returning !== undefined) }
  const isRow = returning !== undefined || pattern.nodes[0]?.alias !== undefined
  return { shape: isRow ? 'rows' : 'nodes', source: compileNodes(context, isRow) }
}
