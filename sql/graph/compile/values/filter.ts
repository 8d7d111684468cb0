import { attributesOf } from '../../../expression/index.ts'
import type { Params } from '../../../query/compile/condition.ts'
import type { Filter, Member, Reference } from '../../ast.ts'
import { referenceIn } from '../../references.ts'
import { amountOf, type Cell } from './cell.ts'
import { compileComparison, compileFormulaComparison } from './comparison.ts'
import { compileFormula } from './formula.ts'

export type FilterContext = {
  readonly cell: (property: string) => Cell
  /** A property of another node or relation, where the filter reads any. */
  readonly other?: (member: Pick<Member, 'alias' | 'name'>) => Cell
  readonly now_us: number
  readonly params: Params
}

export function compileFilter(filter: Filter, { cell, other, now_us, params }: FilterContext): string {
  const cellOf = ({ alias, name }: Reference): Cell =>
    alias === undefined || other === undefined ? cell(name) : other({ alias, name })
  return filter
    .map((comparison) => {
      const { left } = comparison
      if (left.kind === 'property') return compileComparison(cell(left.name), comparison, params, cellOf)
      const amount = (name: string): string => amountOf(cell(name))
      return compileFormulaComparison(
        compileFormula(left.expression, { amount, now_us, params }),
        comparison,
        params,
        cellOf,
      )
    })
    .join(' AND ')
}

/** The properties that a filter reads. */
export const propertiesOf = (filter: Filter): readonly string[] => [
  ...new Set(
    filter.flatMap(({ left, value }) => [
      ...(left.kind === 'property' ? [left.name] : attributesOf(left.expression)),
      ...(referenceIn(value) ? [referenceIn(value)?.name ?? ''] : []),
    ]),
  ),
]

/** A filter's terms by the one property that each reads; undefined where a term reads several, or matches a missing one. */
export function termsByProperty(filter: Filter): ReadonlyMap<string, Filter> | undefined {
  const terms = new Map<string, Filter>()
  for (const term of filter) {
    const [property, ...others] = propertiesOf([term])
    const findsMissing = term.value.kind === 'missing' && term.operator === '~'
    if (property === undefined || others.length > 0 || findsMissing) return undefined
    terms.set(property, [...(terms.get(property) ?? []), term])
  }
  return terms
}
