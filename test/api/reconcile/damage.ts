/** Ways in which a table of the shop can come to differ from its events. */
import fc from 'fast-check'
import type { Order } from './shop.ts'
import { start_us } from './shop.ts'

const derived = [
  'orders__60',
  'orders__300__item',
  'buyers__keys',
  'dear__300',
  'orders__60___top__item',
  'buyers__keys___top__items',
] as const
const tables = [...derived.map((table) => `S.${table}`), 'graph.S_graph_rel']

/** Statements in which S stands for the schema; `rows` picks some of a table's. */
const again = (table: string, rows: string): string =>
  `INSERT INTO ${table} SELECT * FROM ${table} WHERE ${rows} SETTINGS insert_deduplicate = 0`
const away = (table: string, rows: string): string =>
  `ALTER TABLE ${table} DELETE WHERE ${rows} SETTINGS mutations_sync = 2`

const keysOf: Readonly<Record<string, string>> = {
  'S.orders__60': '_interval',
  'S.orders__300__item': 'item, _interval',
  'S.buyers__keys': 'buyer',
  'S.dear__300': '_interval',
  'S.orders__60___top__item': '_interval, _value',
  'S.buyers__keys___top__items': 'buyer, _value',
  'graph.S_graph_rel': 'subject, object, _seq',
  'graph.S_graph__properties': 'label, name',
  'S.dear': '_seq',
  'S.orders': '_seq',
}

const some = (table: string, by: number, is: number): string => `cityHash64(${keysOf[table]}) % ${by} = ${is % by}`

const pick = fc.tuple(fc.constantFrom(1, 2, 5), fc.nat(4))

export const damage: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...tables, 'S.orders', 'S.dear'), pick)
    .map(([table, [by, is]]) => again(table, some(table, by, is))),
  fc
    .tuple(fc.constantFrom(...tables, 'graph.S_graph__properties', 'S.dear'), pick)
    .map(([table, [by, is]]) => away(table, some(table, by, is))),
)

export const inSchema = (statement: string, schema: string): string =>
  statement.replaceAll('S.', `${schema}.`).replaceAll('S_graph', `${schema}_graph`)

const names = (letters: string, most: number) =>
  fc.option(
    fc.nat(most).map((n) => `${letters}${n}`),
    { freq: 8 },
  )

/** Orders of three lanes, each in the order of its positions; some share a message, and so a position. */
export const orders = (least: number, most: number): fc.Arbitrary<Order[]> =>
  fc
    .array(
      fc.record({
        second: fc.nat(700),
        lane: fc.nat(2),
        step: fc.nat(1),
        buyer: names('b', 5),
        item: names('i', 4),
        price: fc.option(
          fc.nat(400).map((n) => n / 4),
          { freq: 8 },
        ),
      }),
      { minLength: least, maxLength: most },
    )
    .map((all) => {
      const positions = [1, 1, 1]
      return all.map(({ second, lane, step, ...values }, index) => {
        const position = (positions[lane] ?? 0) + step
        positions[lane] = position
        return { pk: start_us + second * 1_000_000, seq: start_us + index, lane, position, ...values }
      })
    })
