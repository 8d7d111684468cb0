import test from 'ava'
import { ratesOf, type Sample, withSample } from '../../../console/state/samples.ts'

const at = (at_ms: number, value: number): Sample => ({ at_ms, value })

test('rates are those between samples; a service that began anew makes none', (t) => {
  t.deepEqual(ratesOf([at(0, 10), at(2000, 14), at(3000, 0), at(5000, 5)]), [at(2000, 2), at(5000, 2.5)])
  t.deepEqual(ratesOf([at(0, 1)]), [])
})

test('old samples go', (t) => {
  t.deepEqual(withSample([at(0, 1), at(900, 2)], at(1500, 3), 1000), [at(900, 2), at(1500, 3)])
})
