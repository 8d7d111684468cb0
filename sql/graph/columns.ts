/** The columns of a query's output: their names, and which of them group. */

import { quoted } from '../../base/quoted.ts'
import { suggest } from '../../base/suggest.ts'
import { attributesOf } from '../expression/index.ts'
import { PlacedRefusal } from '../query/placed-refusal.ts'
import type { ColumnName, GraphQuery, Item } from './ast.ts'

export type Column = {
  readonly name: string
  readonly item: Item
  /** An aggregate, or a formula over one. */
  readonly isAggregate: boolean
  /** In EXCLUDE_GROUPBY: neither grouped by nor shown. */
  readonly isExcluded: boolean
}

/** Throws a `PlacedRefusal` for two columns of one name, and for formulas that reach an absent column, or themselves. */
export function columnsOf(items: readonly Item[], exclude: readonly ColumnName[] = []): readonly Column[] {
  const names = namesOf(items)
  const byName = new Map(items.map((item, index) => [names[index] ?? '', item]))
  for (const column of exclude) expectColumn(column, byName)
  const excluded = new Set(exclude.map(({ name }) => name))
  const columns = [...byName].map(([name, item]) => ({
    name,
    item,
    isAggregate: reachesAggregate(item, byName, []),
    isExcluded: excluded.has(name),
  }))
  for (const column of columns) checkFormula(column, columns)
  return columns
}

/** The columns that a query names, which its rows may have; only the rows show the columns of RETURN *. */
export function shownColumns({ returning }: Pick<GraphQuery, 'returning'>): readonly string[] {
  if (returning === undefined || returning.items === '*') return []
  return columnsOf(returning.items, returning.exclude).flatMap(({ name, isExcluded }) => (isExcluded ? [] : [name]))
}

export function expectColumn({ name, at }: ColumnName, known: ReadonlyMap<string, unknown>): void {
  if (known.has(name)) return
  const [names, meant] = [[...known.keys()], suggest(name, [...known.keys()])]
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw new PlacedRefusal(at, `no column ${quoted(name)} in RETURN; there are ${names.join(', ')}${hint}`)
}

/** Names after AS come first; a column without AS whose name another column has gets its alias in front. */
function namesOf(items: readonly Item[]): readonly string[] {
  const taken = new Set<string>()
  for (const { as } of items) {
    if (as === undefined) continue
    if (taken.has(as.name)) throw new PlacedRefusal(as.at, `two columns are called ${quoted(as.name)}`)
    taken.add(as.name)
  }
  return items.map((item) => {
    if (item.as !== undefined) return item.as.name
    const name = ownNames(item).find((each) => !taken.has(each))
    if (name === undefined) {
      throw new PlacedRefusal(
        placeOf(item),
        `two columns are called ${quoted(ownNames(item)[0] ?? '')}; name one with AS`,
      )
    }
    taken.add(name)
    return name
  })
}

function ownNames(item: Item): readonly string[] {
  switch (item.kind) {
    case 'member':
      return [item.member.name, `${item.member.alias}.${item.member.name}`]
    case 'aggregate': {
      const own = item.aggregate.toLowerCase()
      return item.of === undefined ? [own] : [own, `${item.of.alias}.${own}`]
    }
    case 'formula':
      return ['math_exp']
  }
}

const placeOf = (item: Item) => (item.kind === 'member' ? item.member.at : item.at)

/** `above` are the formulas on the way here. */
function reachesAggregate(item: Item, byName: ReadonlyMap<string, Item>, above: readonly Item[]): boolean {
  if (item.kind !== 'formula') return item.kind === 'aggregate'
  if (above.includes(item)) throw new PlacedRefusal(item.at, 'this MATH_EXP is computed from itself')
  return attributesOf(item.formula.expression).some((name) => {
    expectColumn({ name, at: item.at }, byName)
    const reached = byName.get(name)
    return reached !== undefined && reachesAggregate(reached, byName, [...above, item])
  })
}

function checkFormula({ item, isAggregate }: Column, columns: readonly Column[]): void {
  if (item.kind !== 'formula' || !isAggregate) return
  const excluded = attributesOf(item.formula.expression).find((name) =>
    columns.some((column) => column.name === name && column.isExcluded && !column.isAggregate),
  )
  if (excluded === undefined) return
  throw new PlacedRefusal(item.at, `${quoted(excluded)} is in EXCLUDE_GROUPBY, and so in no row beside an aggregate`)
}
