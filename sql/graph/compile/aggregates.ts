/**
 * RETURN with aggregates: the columns beside them group. A missing grouping value is the text NULL. Conditions of WHERE on
 * aggregates are tested behind the grouping, all others before it.
 */

import type { Condition, Returning } from '../ast.ts'
import { aliasesOf } from '../check.ts'
import { type Column, columnsOf } from '../columns.ts'
import { columnsIn, comparedIn } from '../compared.ts'
import { compileAggregate } from './aggregate.ts'
import type { QueryContext } from './context.ts'
import { kindOf, rowText } from './items.ts'
import { createMembers } from './members.ts'
import { itemsOf, needsOf } from './needs.ts'
import { compileCondition } from './page.ts'
import { rowsFrom, type Source } from './source.ts'
import { compileUnique } from './unique.ts'
import { type Cell, isThere, jsonOf, named } from './values/cell.ts'
import { compileComparison } from './values/comparison.ts'
import { formulaCell } from './values/formula.ts'
import { compileCounted, mayCount } from './walk/counted.ts'
import { compileWalk, type Needs } from './walk/walk.ts'

export function compileAggregates(context: QueryContext, { exclude, where }: Returning): Source {
  const { params, now_us, query } = context
  const needs = needsOf(context)
  const { walk, tail, weight } = mayCount(context, needs) ? countedWalks(context, needs) : eachWalk(context, needs)
  const { cellOf, itselfOf } = createMembers(aliasesOf(context.query.pattern), walk)
  const columns = columnsOf(itemsOf(query), exclude)
  const numberOfColumn = (name: string): number => columns.findIndex((column) => column.name === name)

  /** Before the grouping: plain columns as `c`, grouping columns as `g`. */
  const before = new Map<string, Cell>()
  const ofWalks: string[] = []
  const plainColumn = (name: string): Cell => {
    const item = columns[numberOfColumn(name)]?.item
    const cell: Cell = item?.kind === 'member' ? cellOf(item.member) : { kind: kindOf(item), sql: '' }
    return named(cell, `c${numberOfColumn(name)}`)
  }
  columns.forEach(({ name, item, isAggregate, isExcluded }, index) => {
    if (isAggregate || item.kind === 'aggregate') return
    const cell: Cell =
      item.kind === 'member' ? cellOf(item.member) : formulaCell(item.formula, { cell: plainColumn, now_us, params })
    const plain = named(cell, `c${index}`)
    ofWalks.push(`${cell.sql} AS c${index}`)
    before.set(
      name,
      isExcluded
        ? plain
        : plain.kind === 'text'
          ? { kind: 'text', sql: `g${index}` }
          : { kind: 'json', sql: `g${index}`, isGroup: true },
    )
    if (!isExcluded) ofWalks.push(`${groupOf(plain)} AS g${index}`)
  })

  /** Behind it: aggregates and formulas over them as `d`. */
  const behind = new Map<string, Cell>()
  const raw: string[] = []
  const finished: string[] = []
  const groups: string[] = []
  const columnBehind = (name: string): Cell => {
    const column = columns[numberOfColumn(name)]
    const cell = column?.isAggregate ? aggregateCell(column, numberOfColumn(name)) : before.get(name)
    return cell ?? { kind: 'json', sql: "''" }
  }
  columns.forEach((column, index) => {
    const { name, item, isAggregate, isExcluded } = column
    if (!isAggregate) {
      const group = before.get(name)
      if (isExcluded || group === undefined) return
      groups.push(group.sql)
      behind.set(name, group)
      return
    }
    behind.set(name, aggregateCell(column, index))
    if (item.kind === 'formula') {
      finished.push(`${formulaCell(item.formula, { cell: columnBehind, now_us, params }).sql} AS d${index}`)
    } else if (item.kind === 'aggregate') {
      const { of } = item
      const operand = of && (of.name === undefined ? itselfOf(of.alias) : cellOf({ alias: of.alias, name: of.name }))
      if (operand) ofWalks.push(`${operand.sql} AS a${index}`)
      // By its own name the aggregate means the property that it is of.
      const cellOfTerm = (column: string): Cell =>
        (column === name ? operand && named(operand, `a${index}`) : before.get(column)) ?? { kind: 'json', sql: "''" }
      const conditions = (item.where ?? []).map((comparison) =>
        compileComparison(cellOfTerm(comparison.left.name), comparison, params, ({ name }) => cellOfTerm(name)),
      )
      const { parts, value } = compileAggregate(
        item.aggregate,
        operand && named(operand, `a${index}`),
        conditions.length > 0 ? conditions.join(' AND ') : undefined,
        `r${index}`,
        weight,
      )
      raw.push(...parts)
      finished.push(`${value} AS d${index}`)
    }
  })

  const terms = termsOf(where)
  const isBefore = (term: Condition): boolean =>
    comparedIn(term)
      .flatMap(columnsIn)
      .every(({ name }) => columns[numberOfColumn(name)]?.isAggregate !== true)
  const tested = (which: readonly Condition[], cells: ReadonlyMap<string, Cell>): readonly string[] => {
    const cell = (name: string): Cell => cells.get(name) ?? { kind: 'json', sql: "''" }
    return which.map((term) => compileCondition(term, cell, params))
  }
  const testedBefore = tested(terms.filter(isBefore), before)
  const walks = walk.select([...ofWalks, weight ?? '1 AS one'].join(', '), tail)
  const grouped = [
    `SELECT ${[...groups, ...raw].join(', ')} FROM (${walks}) AS w`,
    ...(testedBefore.length > 0 ? [`WHERE ${testedBefore.join(' AND ')}`] : []),
    ...(groups.length > 0 ? [`GROUP BY ${groups.join(', ')}`] : []),
  ].join(' ')
  const values = `SELECT ${[...groups, ...finished].join(', ')} FROM (${grouped}) AS x`
  const shown = columns.filter(({ isExcluded }) => !isExcluded)
  return {
    from: rowsFrom(values),
    conditions: tested(
      terms.filter((term) => !isBefore(term)),
      behind,
    ),
    row: rowText(shown, behind, params),
    cell: (name) => behind.get(name) ?? { kind: 'json', sql: "''" },
  }
}

function countedWalks(context: QueryContext, needs: Needs) {
  const walk = compileCounted(context, needs)
  return { walk, tail: '', weight: walk.weight }
}

function eachWalk(context: QueryContext, needs: Needs) {
  const walk = compileWalk(context, needs)
  return { walk, tail: compileUnique(context, walk), weight: undefined }
}

const aggregateCell = ({ item }: Column, index: number): Cell => ({
  kind:
    item.kind === 'aggregate' && (item.aggregate === 'COUNT' || item.aggregate === 'UCOUNT') ? 'count' : kindOf(item),
  sql: `d${index}`,
})

const groupOf = (cell: Cell): string =>
  cell.kind === 'text' ? cell.sql : `if(${isThere(cell)}, ${jsonOf(cell)}, '"NULL"')`

/** The terms of a condition that all have to hold. */
const termsOf = (where: Condition | undefined): readonly Condition[] =>
  where === undefined ? [] : where.kind === 'and' ? where.terms : [where]
