/** The states of alerts over time, as the console draws them. */
import test from 'ava'
import fc from 'fast-check'
import { alignedSeries, episodesOf, tracksOf } from '../../../../console/pages/saved/timeline.ts'

type State = 'inactive' | 'pending' | 'firing' | 'resolved'
const change = (page: string, state: State, at: number) => ({
  about: 'key' as const,
  key: { page },
  state,
  at,
  value: at,
})

test('a track shows at each moment the state of the latest change before, and nothing where it was quiet', (t) => {
  const states = fc.constantFrom<State>('inactive', 'pending', 'firing', 'resolved')
  const changes = fc.uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 100 }), state: states }), {
    selector: ({ at }) => at,
    maxLength: 12,
  })
  fc.assert(
    fc.property(changes, (found) => {
      const [from, to] = [20, 80]
      const [track] = tracksOf(
        found.map(({ at, state }) => change('home', state, at)),
        [],
        from,
        to,
      )
      for (let moment = from; moment < to; moment++) {
        const before = found.filter(({ at }) => at <= moment).sort((a, b) => b.at - a.at)[0]?.state ?? 'inactive'
        const drawn = (track?.segments ?? []).filter((each) => each.from <= moment && moment < each.to)
        t.deepEqual(
          drawn.map(({ state }) => state),
          before === 'inactive' ? [] : [before],
          `${moment}`,
        )
      }
    }),
    { seed: Number(process.env.WEIR_SEED) || 46 },
  )
})

test('alerts that fire come first, and one whose changes are too old to be told is drawn by its state', (t) => {
  const changes = [
    change('old', 'pending', 10),
    change('old', 'firing', 20),
    change('old', 'resolved', 30),
    change('now', 'firing', 40),
  ]
  const alerts = [
    { about: 'key' as const, key: { page: 'long' }, state: 'firing' as const, since: 1, fired: 2, value: 3 },
    { about: 'no_rows' as const, key: {}, state: 'pending' as const, since: 45, value: null },
  ]
  t.deepEqual(
    tracksOf(changes.toReversed(), alerts, 15, 50).map(({ subject, segments }) => [
      subject,
      segments.map(({ state, from, to }) => `${state} ${from}-${to}`).join(' '),
    ]),
    [
      ['now', 'firing 40-50'],
      ['long', 'firing 15-50'],
      ['no rows', 'pending 45-50'],
      ['old', 'pending 15-20 firing 20-30 resolved 30-50'],
    ],
  )
})

test('an episode is from firing to what follows; one that goes on has no end', (t) => {
  const changes = [
    ...[change('a', 'pending', 1), change('a', 'firing', 2), change('b', 'firing', 3), change('a', 'resolved', 5)],
    ...[change('a', 'inactive', 8), change('a', 'firing', 9), change('c', 'pending', 4), change('c', 'inactive', 6)],
  ]
  t.deepEqual(episodesOf(changes), [
    { subject: 'a', fired: 2, resolved: 5 },
    { subject: 'b', fired: 3, resolved: undefined },
    { subject: 'a', fired: 9, resolved: undefined },
  ])
})

test('series with times of their own stand on one axis, with nothing where one has no value', (t) => {
  const { x, series } = alignedSeries<unknown>(
    [
      {
        name: 'a',
        points: [
          { at: 1, value: 5 },
          { at: 3, value: 'none' },
        ],
      },
      { name: 'b', points: [{ at: 2, value: 7 }] },
    ],
    (value) => (typeof value === 'number' ? value : undefined),
  )
  t.deepEqual(x, [1, 2, 3])
  t.deepEqual(
    series.map(({ values }) => values),
    [
      [5, null, null],
      [null, 7, null],
    ],
  )
})
