/** The rows of a query over its walks, as objects. */

import { columnsOf } from '../../../../sql/graph/columns.ts'
import { columnsIn } from '../../../../sql/graph/compared.ts'
import type { AggregateKind, Condition, GraphQuery, Item } from '../../../../sql/graph/index.ts'
import { amount, compares, evaluate } from './compare.ts'
import type { Graph } from './graph.ts'
import { memberOf, type Walk, walksOf } from './walk.ts'

export type Row = Readonly<Record<string, unknown>>

/** A walk per group of equal keys: which of them is left open by the language. */
export function firstBy(walks: readonly Walk[], places: readonly number[]): Walk[] {
  const seen = new Map<string, Walk>()
  for (const walk of walks) {
    const key = JSON.stringify(places.map((place) => [walk.nodes[place]?.label, walk.nodes[place]?.name]))
    if (!seen.has(key)) seen.set(key, walk)
  }
  return [...seen.values()]
}

export const distinct = (rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [JSON.stringify(Object.entries(row).sort()), row])).values(),
]

const holds = (condition: Condition | undefined, row: Row): boolean => {
  if (condition === undefined) return true
  if (condition.kind === 'compare') return compares(row[condition.left.name], condition, ({ name }) => row[name])
  const results = condition.terms.map((term) => holds(term, row))
  return condition.kind === 'and' ? results.every(Boolean) : results.some(Boolean)
}

const reaches = (condition: Condition, names: ReadonlySet<string>): boolean =>
  condition.kind === 'compare'
    ? columnsIn(condition).some(({ name }) => names.has(name))
    : condition.terms.some((term) => reaches(term, names))

export function rowsOf(graph: Graph, query: GraphQuery, given?: readonly Walk[]): Row[] {
  const walks = given ?? walksOf(graph, query)
  const { returning } = query
  if (returning === undefined || returning.items === '*') return wholeRows(query, walks)
  const columns = columnsOf(returning.items, returning.exclude)
  const plain = columns.filter(({ isAggregate }) => !isAggregate)
  const aggregates = columns.filter(({ isAggregate }) => isAggregate)
  const perWalk = walks.map((walk) => {
    const row: Record<string, unknown> = {}
    const cell = (item: Item): unknown => {
      if (item.kind === 'member') return memberOf(query, walk, item.member.alias, item.member.name)
      if (item.kind !== 'formula') return undefined
      return evaluate(item.formula.expression, (name) => {
        const found = plain.find((column) => column.name === name)
        return found && amount(cell(found.item))
      })
    }
    for (const { name, item } of plain) row[name] = cell(item)
    return { walk, row }
  })
  const hidden = columns.filter(({ isExcluded }) => isExcluded).map(({ name }) => name)
  const shown = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => !hidden.includes(name) && value !== undefined))
  if (aggregates.length === 0)
    return perWalk.filter(({ row }) => holds(returning.where, row)).map(({ row }) => shown(row))

  const names = new Set(aggregates.map(({ name }) => name))
  const terms = returning.where?.kind === 'and' ? returning.where.terms : returning.where ? [returning.where] : []
  const grouping = plain.filter(({ isExcluded }) => !isExcluded)
  const filled = perWalk.map(({ walk, row }) => ({
    walk,
    row: { ...row, ...Object.fromEntries(grouping.map(({ name }) => [name, row[name] ?? 'NULL'])) },
  }))
  const kept = filled.filter(({ row }) =>
    terms
      .filter((term) => !reaches(term, names))
      .every((term) =>
        holds(
          withNull(
            term,
            grouping.map(({ name }) => name),
          ),
          row,
        ),
      ),
  )
  const groups = new Map<string, typeof kept>()
  if (grouping.length === 0) groups.set('[]', [])
  for (const each of kept) {
    const key = JSON.stringify(grouping.map(({ name }) => each.row[name]))
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()]
    .map((members) => {
      const row: Record<string, unknown> = Object.fromEntries(grouping.map(({ name }) => [name, members[0]?.row[name]]))
      const cell = (item: Item): number | undefined => {
        if (item.kind === 'formula') {
          return evaluate(item.formula.expression, (name) => {
            const found = aggregates.find((column) => column.name === name)
            return found ? cell(found.item) : amount(row[name])
          })
        }
        if (item.kind !== 'aggregate') return undefined
        const counted = members.filter(({ row: each }) =>
          (item.where ?? []).every((term) =>
            holds(
              withNull(
                { kind: 'compare', ...term },
                grouping.map(({ name }) => name),
              ),
              each,
            ),
          ),
        )
        const values = counted.map(({ walk }) => (item.of ? memberOf(query, walk, item.of.alias, item.of.name) : true))
        return aggregate(
          item.aggregate,
          values.filter((value) => value !== undefined),
        )
      }
      for (const { name, item } of aggregates) row[name] = cell(item)
      return row
    })
    .filter((row) =>
      terms
        .filter((term) => reaches(term, names))
        .every((term) =>
          holds(
            withNull(
              term,
              grouping.map(({ name }) => name),
            ),
            row,
          ),
        ),
    )
    .map(shown)
}

/** In a grouping column a missing value is the text NULL, which `~ NA` finds. */
function withNull(condition: Condition, grouping: readonly string[]): Condition {
  if (condition.kind !== 'compare')
    return { ...condition, terms: condition.terms.map((term) => withNull(term, grouping)) }
  if (condition.value.kind !== 'missing' || !grouping.includes(condition.left.name)) return condition
  return { ...condition, operator: condition.operator === '~' ? '=' : '!=', value: { kind: 'text', text: 'NULL' } }
}

function aggregate(kind: AggregateKind, values: readonly unknown[]): number {
  if (kind === 'COUNT') return values.length
  if (kind === 'UCOUNT') return new Set(values.map((value) => JSON.stringify(value))).size
  const numbers = values.map(amount).filter((value) => value !== undefined)
  const n = numbers.length
  const sum = numbers.reduce((total, value) => total + value, 0)
  if (n === 0) return 0
  const mean = sum / n
  const power = (k: number): number => numbers.reduce((total, value) => total + (value - mean) ** k, 0)
  const isFlat = numbers.every((value) => value === numbers[0])
  switch (kind) {
    case 'SUM':
      return sum
    case 'AVG':
      return mean
    case 'MIN':
      return Math.min(...numbers)
    case 'MAX':
      return Math.max(...numbers)
    case 'STD':
      return n < 2 || isFlat ? 0 : Math.sqrt(power(2) / (n - 1))
    case 'SKEW':
      return n < 3 || isFlat ? 0 : ((n / ((n - 1) * (n - 2))) * power(3)) / (power(2) / (n - 1)) ** 1.5
    case 'EXKURT': {
      const variance = power(2) / (n - 1)
      const first = ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * (power(4) / variance ** 2)
      return n < 4 || isFlat ? 0 : first - (3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
    }
  }
}

function wholeRows({ pattern, returning, modifier: _ }: GraphQuery, walks: readonly Walk[]): Row[] {
  if (pattern.links.length === 0) {
    const isRow = returning !== undefined || pattern.nodes[0]?.alias !== undefined
    const rows = walks
      .flatMap(({ nodes }) => nodes)
      .map(({ label, name, properties }) => ({
        ...properties,
        label,
        name,
        ...(isRow && { _pk: `${label}:${name}`, _v: 1 }),
      }))
    return rows.filter((row) => holds(returning?.where, row))
  }
  const triples = walks.flatMap((walk) => walk.triples)
  if (returning === undefined) {
    return triples.map(({ subject, relation, object }) => ({
      sub: `${subject.label}:${subject.name}`,
      pred: relation,
      obj: `${object.label}:${object.name}`,
    }))
  }
  return triples
    .map(({ subject, relation, object, properties }) => ({
      ...subject.properties,
      ...properties,
      ...object.properties,
      sub_label: subject.label,
      sub: subject.name,
      rel: relation,
      obj_label: object.label,
      obj: object.name,
    }))
    .filter((row) => holds(returning.where, row))
}
