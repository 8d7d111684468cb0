import test from 'ava'
import { createRefusals } from '../../../activities/ingest/refusals.ts'
import { createRefusedEvents } from '../../../activities/ingest/refused-events.ts'

const body = Buffer.from('{"n":"x"}')
const whole = { start: 0, end: body.length }
const schema = {}

test('equal events that are refused within a microsecond have a time each, or a page that goes on behind one would be the same again', (t) => {
  const refused = createRefusedEvents(() => 7_000)
  for (let i = 0; i < 3; i++) refused.add('s.st', schema, 'why', body, whole)
  refused.add('s.other', schema, 'why', body, whole)
  t.deepEqual(
    refused.list('s.st', schema, 10).refused.map(({ ts }) => ts),
    [7_002, 7_001, 7_000],
  )
})

test('the events of a stream are shown to the schema that refused them, and to no other of its name', (t) => {
  const refused = createRefusedEvents()
  refused.add('s.st', schema, 'why', body, { ...whole, number: 3 })
  const [event] = refused.list('s.st', schema, 10).refused
  t.like(event, { line: 3, error: 'why', text: '{"n":"x"}' })
  const later = {}
  t.like(refused.list('s.st', later, 10), { refused: [], num_refused: 0 })
  refused.add('s.st', later, 'other', body, whole)
  t.is(refused.list('s.st', later, 10).num_refused, 1)
  t.is(refused.list('s.st', schema, 10).num_refused, 0)
})

test('of the refused events of a request the latest 200 are listed, and all are counted', (t) => {
  const refusedEvents = createRefusedEvents()
  let counted = 0
  const metrics = { eventsRefused: { inc: (_labels: object, events: number) => (counted += events) } } as never
  const refusals = createRefusals({ refusedEvents, metrics }, 's.st', schema)
  for (let number = 1; number <= 1_000; number++) refusals.add('why', body, { ...whole, number })
  t.is(refusedEvents.list('s.st', schema, 1).num_refused, 0)
  refusals.settle()
  const { refused, num_refused } = refusedEvents.list('s.st', schema, 1_000)
  t.deepEqual([refused.length, refused[0]?.line, refused.at(-1)?.line], [200, 1_000, 801])
  t.deepEqual([num_refused, counted], [1_000, 1_000])
})

test('those of a stream are forgotten where its events are erased, and stay counted', (t) => {
  const refused = createRefusedEvents()
  refused.add('s.st', schema, 'why', body, whole)
  refused.add('s.other', schema, 'why', body, whole)
  refused.forget('s.st')
  refused.forget('s.absent')
  t.like(refused.list('s.st', schema, 10), { refused: [], num_refused: 1 })
  t.is(refused.list('s.other', schema, 10).refused.length, 1)
})

test('the oldest go at 200 of a stream, 16 million characters and 1,000 streams', (t) => {
  const refused = createRefusedEvents()
  const shown = (stream: string) => refused.list(stream, schema, 1_000).refused.length
  for (let i = 0; i < 300; i++) refused.add('s.st', schema, 'why', body, whole)
  t.deepEqual([shown('s.st'), refused.list('s.st', schema, 1).num_refused], [200, 300])
  const large = Buffer.alloc(10_000, 'x')
  for (let i = 0; i < 5_000; i++) refused.add(`s.large${i % 40}`, schema, 'why', large, { start: 0, end: large.length })
  t.is(shown('s.st'), 0)
  const events = Array.from({ length: 40 }, (_, i) => shown(`s.large${i}`)).reduce((sum, each) => sum + each, 0)
  t.true(events * 4_096 <= 16 * 1024 * 1024 && events > 0, `${events}`)
  for (let i = 0; i < 1_000; i++) refused.add(`s.small${i}`, schema, 'why', body, whole)
  t.is(refused.list('s.large39', schema, 1).num_refused, 0)
  t.is(shown('s.small0'), 1)
})
