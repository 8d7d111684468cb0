import test from 'ava'
import { createHealthHistory } from '../../../activities/health/health.ts'

test('a part that is ill says since when and why, and one that is well again what was wrong last', (t) => {
  let now = 100
  const history = createHealthHistory(() => now)
  t.deepEqual(history('log', { status: 'up' }), {})
  now = 200
  const ill = { since: 200, last_error: { ts: 200, reason: 'refused' } }
  t.deepEqual(history('log', { status: 'failing', reason: 'refused' }), ill)
  t.deepEqual(history('clickhouse', { status: 'up' }), {})
  now = 300
  const later = history('log', { status: 'failing', reason: 'no answer' })
  t.deepEqual(later, { since: 200, last_error: { ts: 300, reason: 'no answer' } })
  now = 400
  t.deepEqual(history('log', { status: 'up' }), { last_error: { ts: 300, reason: 'no answer' } })
  now = 500
  t.deepEqual(history('log', { status: 'failing' }), { since: 500, last_error: { ts: 300, reason: 'no answer' } })
})
