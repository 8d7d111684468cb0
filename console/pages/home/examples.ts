/** Schemas to try: small, with the sums that a newcomer asks for first. */

export type Example = {
  readonly name: string
  readonly title: string
  readonly says: string
  readonly stream: string
  readonly schema: unknown
  /** One event, as it changes from send to send. */
  readonly event: (turn: number) => Readonly<Record<string, unknown>>
  /** A question that the events answer. */
  readonly question: string
}

const attributes = (list: readonly (readonly [name: string, type: string, stat: string])[]) =>
  list.map(([name, type, stat]) => ({ name, type, ...(stat !== '' && { stat }) }))

const pick = <Value>(list: readonly Value[], turn: number): Value => list[turn % list.length] as Value // never empty

export const examples: readonly Example[] = [
  {
    name: 'shop',
    title: 'A shop',
    says: 'Orders, with revenue by product and hour',
    stream: 'orders',
    schema: {
      schema: 'shop',
      streams: [
        {
          name: 'orders',
          type: 1,
          swsz: 604_800,
          attr: attributes([
            ['product', 'STRING', 'UCOUNT'],
            ['customer', 'STRING', 'UCOUNT'],
            ['price', 'DOUBLE', 'RSTAT'],
          ]),
          gpby: [{ gpat: ['product'], iatr: 'price', stat: 'RSTAT', gran: 3600 }],
        },
      ],
    },
    event: (turn) => ({
      product: pick(['tea', 'coffee', 'cocoa', 'mate'], turn),
      customer: pick(['ann', 'ben', 'cleo', 'dan', 'eve'], turn * 3),
      price: 3.5 + ((turn * 7) % 20),
    }),
    question: 'select aggr(price) from shop.orders rollup 1',
  },
  {
    name: 'plant',
    title: 'Machines',
    says: 'Temperatures of sensors, with mean and spread by sensor',
    stream: 'readings',
    schema: {
      schema: 'plant',
      streams: [
        {
          name: 'readings',
          type: 1,
          swsz: 604_800,
          attr: attributes([
            ['sensor', 'STRING', 'UCOUNT'],
            ['celsius', 'DOUBLE', 'RSTAT'],
          ]),
          gpby: [{ gpat: ['sensor'], iatr: 'celsius', stat: 'RSTAT', gran: 60 }],
        },
      ],
    },
    event: (turn) => ({ sensor: pick(['north', 'south', 'east'], turn), celsius: 20 + ((turn * 13) % 17) / 2 }),
    question: 'select aggr(celsius) from plant.readings rollup 1',
  },
  {
    name: 'site',
    title: 'A web site',
    says: 'Page views, with visitors by page',
    stream: 'views',
    schema: {
      schema: 'site',
      streams: [
        {
          name: 'views',
          type: 1,
          swsz: 604_800,
          attr: attributes([
            ['page', 'STRING', 'COUNT'],
            ['visitor', 'STRING', 'UCOUNT'],
            ['took_ms', 'LONG', 'RSTAT'],
          ]),
          gpby: [{ gpat: ['page'], iatr: 'took_ms', stat: 'RSTAT', gran: 3600 }],
        },
      ],
    },
    event: (turn) => ({
      page: pick(['/', '/prices', '/docs', '/sign-up'], turn),
      visitor: `v${(turn * 5) % 11}`,
      took_ms: 40 + ((turn * 29) % 300),
    }),
    question: 'select aggr(took_ms) from site.views rollup 1',
  },
]
