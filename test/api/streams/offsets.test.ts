import test from 'ava'
import { differenceOf } from '../../support/oracle.ts'
import { randomFor } from '../../support/random/seed.ts'
import { allRows } from '../../support/requests/pages.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const minute = 60_000_000

test('groups, intervals and entities whose offsets lie far apart keep their moments', async (t) => {
  const random = randomFor(t)
  const attr = [
    { name: 'kind', type: 'STRING' },
    { name: 'x', type: 'DOUBLE', stat: 'RSTAT' },
  ]
  await client.register({
    schema: 'apart',
    streams: [
      {
        name: 'e',
        type: 1,
        swsz: 0,
        attr,
        gpby: [{ gpat: ['kind'], iatr: 'x', stat: 'RSTAT' }],
        enty: [
          {
            name: 'of',
            opid: 3,
            ratr: ['xs'],
            iatr: ['x'],
            pkatr: [{ name: 'kind', type: 5, iatr: ['kind'] }],
            rstm: 'kinds',
          },
        ],
      },
      {
        name: 'kinds',
        type: 4,
        inpt: ['e'],
        attr: [
          { name: 'kind', type: 5, pk: 1 },
          { name: 'xs', type: 11 },
        ],
      },
    ],
  })
  const offsets: Readonly<Record<string, readonly [offset: number, scatter: number]>> = {
    noise: [0, 1],
    indoors: [20, 1],
    pressure: [101_325, 10],
    counter: [1e9, 1],
  }
  const events = Array.from({ length: 800 }, (_, index) => {
    const kind = random.pick(Object.keys(offsets))
    const [offset, scatter] = offsets[kind] ?? [0, 0]
    // In the minutes after the fortieth there is one kind alone.
    const at = kind === 'counter' && random.chance(0.3) ? 40 + (index % 3) : index % 5
    return { _pk: at * minute + index, kind, x: offset + scatter * random.normal() }
  })
  for (const event of events.slice(0, 10)) await client.event('apart.e', event)
  await client.lines('apart.e', events.slice(10))

  const of = (kept: (event: (typeof events)[number]) => boolean) => events.filter(kept).map(({ x }) => x)
  const told = (v: unknown) => JSON.parse(String(v))
  const relative = 1e-6
  for (const { k, v } of await client.rows('select aggr(x) from apart.e groupby kind'))
    t.is(
      differenceOf(
        told(v),
        of(({ kind }) => kind === k),
        { relative },
      ),
      undefined,
      `group ${k}`,
    )
  for (const { k, v } of await client.rows('select * from apart.kinds'))
    t.is(
      differenceOf(
        told(v).xs,
        of(({ kind }) => kind === k),
        { relative },
      ),
      undefined,
      `entity ${k}`,
    )
  const intervals = await allRows(client, `select aggr(x) from apart.e where st >= 0 and et <= ${50 * minute}`)
  for (const { k, v } of intervals) {
    const inside = of(({ _pk }) => _pk - (_pk % minute) === Number(k))
    t.is(differenceOf(told(v), inside, { relative }), undefined, `interval ${k}`)
  }
  t.is(intervals.filter(({ v }) => told(v).cnt > 0).length, 8)
})
