/** RETURN of columns without an aggregate: a row a walk. */
import type { Item, Returning } from '../ast.ts'
import { aliasesOf } from '../check.ts'
import { columnsOf } from '../columns.ts'
import type { QueryContext } from './context.ts'
import { createMembers } from './members.ts'
import { itemsOf, needsOf } from './needs.ts'
import { jsonObject, namedKey, rowsFrom, type Source, selectedKey, wholeObject } from './source.ts'
import { compileUnique } from './unique.ts'
import { type Cell, isThere, jsonOf, named } from './values/cell.ts'
import { formulaCell } from './values/formula.ts'
import { compileLone } from './walk/lone.ts'
import { compileWalk } from './walk/walk.ts'

export function compileItems(context: QueryContext, { exclude }: Returning): Source {
  const { params, now_us, query } = context
  const walk = walkOf(context)
  const { cellOf } = createMembers(aliasesOf(context.query.pattern), walk)
  const columns = columnsOf(itemsOf(query), exclude)
  const cells = new Map<string, Cell>()
  const selected: string[] = []
  /** Formulas speak of columns by their aliases, in any order. */
  const column = (name: string): Cell => {
    const index = columns.findIndex((each) => each.name === name)
    const item = columns[index]?.item
    const cell: Cell = item?.kind === 'member' ? cellOf(item.member) : { kind: kindOf(item), sql: '' }
    return isColumn(cell) ? cell : named(cell, `c${index}`)
  }
  /** A column that is read straight from its table has a name there. */
  const isColumn = ({ kind }: Cell): boolean => walk.isStored && kind === 'text'
  columns.forEach(({ name, item }, index) => {
    if (item.kind === 'aggregate') return
    const cell: Cell =
      item.kind === 'member' ? cellOf(item.member) : formulaCell(item.formula, { cell: column, now_us, params })
    if (!isColumn(cell)) selected.push(`${cell.sql} AS c${index}`)
    cells.set(name, isColumn(cell) ? cell : named(cell, `c${index}`))
  })
  const shown = columns.filter(({ isExcluded }) => !isExcluded)
  return {
    ...walk.rows(selected),
    row: rowText(shown, cells, params),
    cell: (name) => cells.get(name) ?? { kind: 'json', sql: "''" },
  }
}

/** The kind of value in a column that is no member. */
export function kindOf(item: Item | undefined): 'json' | 'number' {
  const isExtreme = item?.kind === 'aggregate' && (item.aggregate === 'MIN' || item.aggregate === 'MAX')
  return isExtreme || (item?.kind === 'formula' && item.formula.format) ? 'json' : 'number'
}

/** The walk's cells, and where its rows come from with these columns beside. */
function walkOf(context: QueryContext) {
  const needs = needsOf(context)
  const lone = compileLone(context, needs)
  if (lone) {
    const { from, conditions, key, settings } = lone
    return { ...lone, isStored: true, rows: (named: readonly string[]) => ({ from, conditions, named, key, settings }) }
  }
  const walk = compileWalk(context, needs)
  const rows = (columns: readonly string[]) => ({
    from: rowsFrom(walk.select([...columns, selectedKey(walk.key)].join(', '), compileUnique(context, walk))),
    key: namedKey(walk.key),
  })
  return { ...walk, isStored: false, rows }
}

/** The row as the text of a JSON object. */
export function rowText(
  columns: readonly { readonly name: string }[],
  cells: ReadonlyMap<string, Cell>,
  params: QueryContext['params'],
): string {
  const members = columns.map(({ name }) => memberText(name, cells, params))
  const areThere = columns.every(({ name }) => isAlways(cells.get(name)))
  return areThere ? wholeObject(members) : jsonObject(`[${["''", ...members].join(', ')}]`)
}

const isAlways = (cell: Cell | undefined): boolean => cell?.kind === 'text' || cell?.kind === 'count'

/** `"name":value`, or '' where it is missing. */
function memberText(name: string, cells: ReadonlyMap<string, Cell>, params: QueryContext['params']): string {
  const cell = cells.get(name)
  if (cell === undefined) return "''"
  const text = `concat(${params.add(`${JSON.stringify(name)}:`, 'String')}, ${jsonOf(cell)})`
  return isAlways(cell) ? text : `if(${isThere(cell)}, ${text}, '')`
}
