import test from 'ava'
import { measuredIn } from '../../../../console/pages/streams/statistic-query.ts'
import { exampleEvent, streamIn } from '../../../../console/pages/streams/wire-schema.ts'

const reference = {
  name: 'driver',
  rstm: 'depot.cars',
  jqry: {},
  ratr: ['name', 'km.avg'],
  iatr: ['driver', 'usual_km'],
}
const schema = {
  schema: 's',
  streams: [
    {
      name: 'trips',
      type: 1,
      attr: [{ name: 'car', type: 5 }],
      refr: [reference, { ...reference, iatr: 'one', ratr: 'one' }],
    },
  ],
}

test('attributes that a reference fills are declared, with their source, and no event brings them', (t) => {
  const stream = streamIn(schema, 'trips')
  t.deepEqual(
    stream?.attributes.map(({ name, says }) => [name, says]),
    [
      ['car', ''],
      ['driver', 'taken from name of depot.cars'],
      ['usual_km', 'taken from km.avg of depot.cars'],
      ['one', 'taken from one of depot.cars'],
    ],
  )
  t.deepEqual(stream && JSON.parse(exampleEvent(stream)), { car: 'text' })
})

test('several statistics of an attribute are all declared, and a chart asks for those whose names it knows', (t) => {
  const attr = [
    { name: 'price', type: 11, stat: ['RSTAT', 4] },
    { name: 'last', type: 11, stat: ['LAST', 'FIRST'] },
    { name: 'n', type: 9, stat: 3 },
  ]
  const stream = { name: 'trips', type: 1, attr }
  t.deepEqual(
    streamIn({ schema: 's', streams: [stream] }, 'trips')?.attributes.map(({ name, statistic }) => [name, statistic]),
    [
      ['price', 'RSTAT, QUANTILES'],
      ['last', 'LAST, FIRST'],
      ['n', 'RSTAT'],
    ],
  )
  t.deepEqual(
    measuredIn(stream).map(({ attribute, statistic }) => [attribute, statistic]),
    [
      ['price', 'LIST'],
      ['last', 'LIST'],
      ['n', 'RSTAT'],
    ],
  )
})
