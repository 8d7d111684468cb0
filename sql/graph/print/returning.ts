import { quoted } from '../../query/print.ts'
import type { Condition, Item, Returning, Sort } from '../ast.ts'
import { comparison, name } from './parts.ts'

export function printReturning({ items, exclude, where, sort, limit }: Returning): string {
  return [
    `RETURN ${items === '*' ? '*' : items.map(itemText).join(', ')}`,
    ...(exclude ? [`EXCLUDE_GROUPBY(${exclude.map((column) => name(column.name)).join(', ')})`] : []),
    ...(where ? [`WHERE ${condition(where)}`] : []),
    ...orderText({ sort, limit }),
  ].join(' ')
}

export const orderText = ({
  sort,
  limit,
}: {
  sort?: Sort | undefined
  limit?: number | undefined
}): readonly string[] => [
  ...(sort ? [`${sort.descending ? 'SORT_DESC' : 'SORT_ASC'} ${name(sort.column.name)}`] : []),
  ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
]

function itemText(item: Item): string {
  return `${bare(item)}${item.as ? ` AS ${name(item.as.name)}` : ''}`
}

function bare(item: Item): string {
  switch (item.kind) {
    case 'member':
      return `${item.member.alias}.${name(item.member.name)}`
    case 'formula':
      return `MATH_EXP(${quoted(item.formula.text)})`
    case 'aggregate': {
      const of =
        item.of === undefined ? '*' : `${item.of.alias}${item.of.name === undefined ? '' : `.${name(item.of.name)}`}`
      const where = item.where?.map(({ left, ...rest }) => comparison(name(left.name), rest)).join(' AND ')
      return `${item.aggregate}(${of}${where === undefined ? '' : ` {${where}}`})`
    }
  }
}

function condition(node: Condition): string {
  if (node.kind === 'compare') return comparison(name(node.left.name), node)
  const terms = node.terms.map((term) =>
    node.kind === 'and' && term.kind === 'or' ? `(${condition(term)})` : condition(term),
  )
  return terms.join(node.kind === 'and' ? ' AND ' : ' OR ')
}
