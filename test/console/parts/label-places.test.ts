import test from 'ava'
import { createLabelPlaces } from '../../../console/parts/force-graph/label-places.ts'

const text = { x: 0, y: 0, width: 60, height: 12 }

test('a text that would lie on another is left out, and one beside or below it is drawn', (t) => {
  const places = createLabelPlaces()
  t.true(places.take(text))
  t.false(places.take({ ...text, x: 50, y: 6 }))
  t.true(places.take({ ...text, x: 60 }))
  t.true(places.take({ ...text, y: 12 }))
})

test('a text that was left out keeps no room free', (t) => {
  const places = createLabelPlaces()
  places.hold(text)
  t.false(places.take({ ...text, x: 30 }))
  t.true(places.take({ ...text, x: 60.5 }))
})

test('turned texts that cross are one, and those that lie side by side along their lines are two', (t) => {
  const places = createLabelPlaces()
  const turned = { ...text, width: 100, angle: Math.PI / 4 }
  t.true(places.take(turned))
  t.false(places.take({ ...turned, angle: -Math.PI / 4 }))
  t.true(places.take({ ...turned, x: 40, y: -40 }))
})
