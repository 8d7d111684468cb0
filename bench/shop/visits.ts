import { readFileSync } from 'node:fs'
import { timeOf, type Workload } from '../load/workload.ts'

const schemaBody = JSON.parse(readFileSync(new URL('../../examples/shop/schema.json', import.meta.url), 'utf8'))

const countries = ['DE', 'FR', 'US', 'JP', 'BR', 'IN', 'GB', 'NG', 'IT', 'ES'] as const
const pages = 1_000
/** Groups by country and page. */
export const groups = countries.length * pages
const maxVisitors = 1_000_000

export const visitorOf = (i: number): string => `visitor-${(i * 7_919) % maxVisitors}`

const visit = (i: number) => ({
  visitor: visitorOf(i),
  page: `page-${Math.floor(i / countries.length) % pages}`,
  country: countries[i % countries.length] ?? 'DE',
  price: ((i * 15_485_863) % 10_000) / 100,
  quantity: 1 + ((i * 31) % 9),
})

/** The tour's example: 6 statistics, 3 group-bys, 4 entities, a relation, a filter. */
export const visits: Workload = {
  schemaBody,
  path: 'shop/visits',
  event: visit,
  row: (i) => {
    const { price, quantity } = visit(i)
    const pivots = { _pivot_price: visit(0).price, _pivot_quantity: visit(0).quantity, _pivot_total: visit(0).price }
    return { _pk: timeOf(i), _seq: i, ...visit(i), total: price * quantity, ...pivots }
  },
}
