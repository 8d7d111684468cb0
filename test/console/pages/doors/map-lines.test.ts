import test from 'ava'
import { linesOfMap, mapIn } from '../../../../console/pages/doors/map-lines.ts'

test('the lines of a form are the map of the wire, both ways', (t) => {
  const map = { number: 'issue.number', kind: 'header:X-GitHub-Event', price: 'a=b' }
  t.is(linesOfMap(map), 'number = issue.number\nkind = header:X-GitHub-Event\nprice = a=b')
  t.deepEqual(mapIn(linesOfMap(map)), map)
  t.deepEqual(mapIn(' number=issue.number \n\n kind  =  header:X \n'), { number: 'issue.number', kind: 'header:X' })
})

test('nothing is no map, and a line without a place is left to the service to refuse', (t) => {
  t.is(mapIn(' \n'), undefined)
  t.is(linesOfMap(), '')
  t.deepEqual(mapIn('number'), { number: '' })
})
