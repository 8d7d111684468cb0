import type { Workload } from '../load/workload.ts'

/** Cars that report. */
const cars = 100_000

type Event = { readonly car: string; readonly v: number }
const eventOf =
  (of: number) =>
  (i: number): Event => ({ car: `car-${(i * 7_919) % of}`, v: (i * 31) % 97 })

const attr = [
  { name: 'car', type: 'STRING' },
  { name: 'v', type: 'LONG' },
]
const stream = (name: string, more: object) => ({ name, type: 1, swsz: 0, attr, ...more })
const made = (name: string, ...inpt: readonly string[]) => ({ name, type: 3, swsz: 0, inpt, attr: [] })

function workload(schema: string, streams: readonly object[], event = eventOf(cars)): Workload {
  const schemaBody = { schema, streams }
  return { schemaBody, path: `${schema}/readings`, event, row: event }
}

/** Three rising readings of one car in a row. */
const rising = {
  name: 'rising',
  type: 1,
  rstm: 'readings',
  jqry: { cond: ['car', 'v'], args: ['car', 'v'], cmp: ['EQ', 'LT'], seq: 2 },
  cond: [{ name: 'NUMT', val: 2 }],
  iatr: ['car', 'v'],
  ratr: ['v'],
  ostm: 'rises',
}

export const plain = workload('plain', [stream('readings', {})])

export const pattern = workload('pattern', [stream('readings', { cepq: [rising] }), made('rises', 'readings')])

/** Each event begins a run of its own. */
export const manyKeys = workload('keys', [stream('readings', { cepq: [rising] }), made('rises', 'readings')], (i) => ({
  car: `car-${i}`,
  v: i % 97,
}))

/** The car's reading before. */
export const reference = workload('reference', [
  stream('readings', {
    refr: [{ name: 'before', iatr: ['before'], rstm: 'readings', ratr: ['v'], jqry: { cond: ['car'], args: ['car'] } }],
  }),
])

const pair = (rstm: string) => [
  {
    name: 'pair',
    type: 1,
    iatr: ['car', 'v'],
    rstm,
    ratr: ['car', 'v'],
    jqry: { cond: ['car'], args: ['car'] },
    ostm: 'pairs',
  },
]

/** Two streams whose events of one car make a row, or none; both have the same events. */
export const twoStreams = (isJoined: boolean): readonly [Workload, Workload] => {
  const schema = isJoined ? 'joined' : 'apart'
  const both = ['readings', 'others'] as const
  const streams = both.map((name, i) => stream(name, isJoined ? { join: pair(both[1 - i] ?? name) } : {}))
  const one = workload(schema, [...streams, ...(isJoined ? [made('pairs', ...both)] : [])])
  return [one, { ...one, path: `${schema}/others` }]
}

export const keysOfTable = 10_000

/** Events of as many cars as a table has. */
export const keyed = workload('keyed', [stream('readings', {})], eventOf(keysOfTable))

/** The car's record in the table. */
export const ofTable = workload(
  'records',
  [
    stream('readings', {
      refr: [
        {
          ...{ name: 'record', rstm: 'bench.cars', jqry: { cond: ['_pk'], args: ['car'] } },
          ...{ ratr: ['driver', 'age'], iatr: ['driver', 'age'] },
        },
      ],
    }),
  ],
  eventOf(keysOfTable),
)
