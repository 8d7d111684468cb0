/** How long a query may be: ClickHouse reads a statement in time that grows with the square of its length, and ends none while it does. */
import { sizeOf } from '../expression/index.ts'
import type { Position } from '../query/ast.ts'
import { PlacedRefusal } from '../query/placed-refusal.ts'
import type { Formula, GraphQuery, Item } from './ast.ts'
import { comparedIn } from './compared.ts'

const maxConditions = 200
const maxColumns = 100
/** The max size of all formulas together. */
const maxArithmetic = 100

type Placed = { readonly at: Position }
type PlacedFormula = Placed & { readonly formula: Formula }

/** Throws a `PlacedRefusal` at the first part that is too much. */
export function checkSize({ pattern, returning }: GraphQuery): void {
  const items = returning === undefined || returning.items === '*' ? [] : returning.items
  const filtered = [...pattern.nodes, ...pattern.links.map(({ edge }) => edge)].flatMap(({ filter = [] }) => filter)
  const conditions = [
    ...filtered,
    ...items.flatMap(conditionsOf),
    ...(returning?.where ? comparedIn(returning.where) : []),
  ]
  refuseFrom(conditions[maxConditions], `a query has at most ${maxConditions} conditions`)
  const column = items[maxColumns]
  refuseFrom(column && { at: placeOf(column) }, `RETURN has at most ${maxColumns} columns`)
  checkArithmetic([
    ...filtered.flatMap(({ left, at }) => (left.kind === 'formula' ? [{ formula: left, at }] : [])),
    ...items.flatMap((item) => (item.kind === 'formula' ? [item] : [])),
  ])
}

function checkArithmetic(formulas: readonly PlacedFormula[]): void {
  let size = 0
  for (const { formula, at } of formulas) {
    size += sizeOf(formula.expression)
    if (size > maxArithmetic)
      throw new PlacedRefusal(
        at,
        `the formulas of a query have at most ${maxArithmetic} operands, operators and functions`,
      )
  }
}

function refuseFrom(first: Placed | undefined, problem: string): void {
  if (first) throw new PlacedRefusal(first.at, problem)
}

const placeOf = (item: Item): Position => (item.kind === 'member' ? item.member.at : item.at)

const conditionsOf = (item: Item): readonly Placed[] => (item.kind === 'aggregate' ? (item.where ?? []) : [])
