import test from 'ava'
import { createEventParser } from '../../../console/api/event-parser.ts'

const text =
  ': hello\n\nid: 1\nevent: event\ndata: {"a":1}\n\nid: 2\r\nevent: event\r\ndata: x\r\ndata:  y\r\n\r\nevent: gap\ndata\n\nid: 3\n\ndata: é\n\n'
const wanted = [
  { id: '1', event: 'event', data: '{"a":1}' },
  { id: '2', event: 'event', data: 'x\n y' },
  { id: '2', event: 'gap', data: '' },
  { id: '3', event: 'message', data: 'é' },
]

test('events are read whole, wherever the stream is cut', (t) => {
  for (let length = 1; length <= text.length; length++) {
    const parse = createEventParser()
    const events = []
    for (let at = 0; at < text.length; at += length) events.push(...parse(text.slice(at, at + length)))
    t.deepEqual(events, wanted, `in pieces of ${length}`)
  }
})

test('an event that is cut off is not handed over', (t) => {
  const parse = createEventParser()
  t.deepEqual(parse('id: 1\ndata: x\n'), [])
  t.deepEqual(parse('\n'), [{ id: '1', event: 'message', data: 'x' }])
})
