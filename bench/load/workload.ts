/** A shop's orders: a handful of attributes, four statistics. */
const schemaBody = {
  schema: 'bench',
  streams: [
    {
      name: 'orders',
      type: 1,
      swsz: 0,
      inpt: [],
      attr: [
        { name: 'customer', type: 'STRING', stat: 'UCOUNT' },
        { name: 'country', type: 'STRING', stat: 'COUNT' },
        { name: 'quantity', type: 'LONG', stat: 'RSTAT' },
        { name: 'price', type: 'DOUBLE', stat: 'RSTAT' },
        { name: 'note', type: 'STRING' },
      ],
    },
  ],
} as const

/** Events of one stream, always the same. */
export type Workload = {
  readonly schemaBody: { readonly schema: string }
  /** `schema/stream`. */
  readonly path: string
  /** Event number `i` as a client sends it. */
  readonly event: (i: number) => object
  /** The same as the log holds it: with its place, and a pivot for each attribute that has moments. */
  readonly row: (i: number) => object
}

const countries = ['DE', 'FR', 'US', 'JP', 'BR', 'IN', 'GB', 'NG'] as const
const customers = 20_000

/** Order number `i`, always the same. The multipliers are primes: members vary and don't go together. */
export const order = (i: number) => ({
  customer: `customer-${(i * 7_919) % customers}`,
  country: countries[(i * 104_729) % countries.length] ?? 'DE',
  quantity: 1 + ((i * 31) % 9),
  price: ((i * 15_485_863) % 100_000) / 100,
  note: 'leave it at the door',
})

/** History starts at a whole minute in the past, and 100,000 orders take an hour. */
const start_us = 1_700_000_040_000_000
const step_us = 36_000
export const timeOf = (i: number): number => start_us + i * step_us

export const interval_us = 60_000_000

export const orders: Workload = {
  schemaBody,
  path: 'bench/orders',
  event: order,
  row: (i) => ({
    _pk: timeOf(i),
    _seq: i,
    ...order(i),
    _pivot_quantity: order(0).quantity,
    _pivot_price: order(0).price,
  }),
}
