import test from 'ava'
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
