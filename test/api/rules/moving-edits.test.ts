/** Conditions over a moving time that an edit adds or changes know the intervals of the statistic from before. */
import test from 'ava'
import { randomFor } from '../../support/random/seed.ts'
import { at, attr, passing, startSchemas, stream, where } from './acceptance.ts'

const { client, register } = await startSchemas('movingedits')

const units = { m: 60, h: 3_600, d: 86_400 } as const
/** Each a filter `v > <function>(s.v, <window>)` into a stream of its name. */
type Wanted = readonly [name: string, statistic: string, window: `${keyof typeof units}_${number}`]
type Sent = { readonly n: number; readonly at_s: number; readonly v: number }

const filtered = (wanted: readonly Wanted[], stat: number) => [
  stream('s', [attr('n', 9), attr('v', 11, { stat, gran: 60 })], {
    fltr: wanted.map(([name, statistic, window]) => ({
      name,
      fqry: passing([where('v', 'GT', `${statistic}(s.v, ${window})`)], 3),
      fatr: ['n'],
      ostm: name,
    })),
  }),
  ...wanted.map(([name]) => ({ name, type: 2, swsz: 0, inpt: ['s'], attr: [] })),
]

const statistics: Readonly<Record<string, (values: readonly number[]) => number>> = {
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  count: (values) => values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  std(values) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return values.length < 2
      ? 0
      : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  },
}

/** The events from `first` on that pass, in one pass over all that came before each. */
function passes(sent: readonly Sent[], first: number, [, statistic, window]: Wanted): number[] {
  const [unit = 'm', count = 0] = window.split('_') as [keyof typeof units, number]
  const minutes = (units[unit] * Number(count)) / 60
  return sent.slice(first).flatMap(({ n, at_s, v }, place) => {
    const [from, to] = [Math.floor(at_s / 60 - minutes), Math.floor(at_s / 60)]
    const inside = sent
      .slice(0, first + place + 1)
      .filter((each) => Math.floor(each.at_s / 60) >= from && Math.floor(each.at_s / 60) <= to)
    return v > (statistics[statistic]?.(inside.map((each) => each.v)) ?? 0) ? [n] : []
  })
}

async function passed(schema: string, name: string): Promise<number[]> {
  const rows = await client.documents(`select * from ${schema}.${name} limit 10000`)
  return rows.map(({ n }) => Number(n)).sort((one, other) => one - other)
}

test('a moving condition that an edit adds, and one whose time it makes longer, pass what one pass over all events says', async (t) => {
  const random = randomFor(t)
  const sent: Sent[] = Array.from({ length: 420 }, (_, n) => ({
    n,
    at_s: Math.floor(n * 40 + random.whole(0, 600)),
    // Sixteenths add up without rounding, so that no sum depends on its order.
    v: random.whole(-160, 1600) / 16,
  }))
  const { schema } = await register(filtered([], 3))
  const send = (events: readonly Sent[]) =>
    client.lines(
      `${schema}.s`,
      events.map(({ n, at_s, v }) => ({ n, v, _pk: at(at_s) })),
    )
  await send(sent.slice(0, 300))
  const added: Wanted[] = [
    ['average', 'avg', 'm_30'],
    ['most', 'max', 'h_1'],
    ['least', 'min', 'h_2'],
    ['spread', 'std', 'h_3'],
    ['many', 'count', 'm_20'],
  ]
  await client.ok(client.send('PUT', '/stream', { schema, streams: filtered(added, 3) }))
  await send(sent.slice(300, 360))
  for (const wanted of added)
    t.deepEqual(await passed(schema, wanted[0]), passes(sent.slice(0, 360), 300, wanted), wanted[0])

  // Other levels of nodes, of which the memory has nothing.
  const longer: Wanted[] = [...added.slice(1), ['average', 'avg', 'd_90']]
  await client.ok(client.send('PUT', '/stream', { schema, streams: filtered(longer, 3) }))
  await send(sent.slice(360))
  for (const wanted of longer) {
    const now = (await passed(schema, wanted[0])).filter((n) => n >= 360)
    t.deepEqual(now, passes(sent, 360, wanted), wanted.join(' '))
  }
})

test('a condition on a statistic that counted alone begins with the moments that the edit adds', async (t) => {
  const sent: Sent[] = Array.from({ length: 20 }, (_, n) => ({ n, at_s: n * 30, v: n % 2 === 0 ? 10 : 20 }))
  const { schema } = await register(filtered([['many', 'count', 'm_5']], 1))
  const send = (events: readonly Sent[]) =>
    client.lines(
      `${schema}.s`,
      events.map(({ n, at_s, v }) => ({ n, v, _pk: at(at_s) })),
    )
  await send(sent.slice(0, 10))
  t.deepEqual(await passed(schema, 'many'), passes(sent.slice(0, 10), 0, ['many', 'count', 'm_5']))
  const average: Wanted = ['average', 'avg', 'm_5']
  await client.ok(client.send('PUT', '/stream', { schema, streams: filtered([['many', 'count', 'm_5'], average], 3) }))
  await send(sent.slice(10))
  t.deepEqual(await passed(schema, 'average'), passes(sent, 10, average))
})
