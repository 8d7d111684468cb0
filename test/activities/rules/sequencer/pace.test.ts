import test from 'ava'
import { createPace } from '../../../../activities/rules/sequencer/pace.ts'

test('events that change much are taken in small groups, and those that change little in large ones', (t) => {
  const pace = createPace()
  const usual = pace.group()
  for (let turn = 0; turn < 40; turn++) pace.changed(100, 100 * 50)
  t.is(pace.group(), 80)
  for (let turn = 0; turn < 40; turn++) pace.changed(1, 10_000)
  t.is(pace.group(), 1)
  for (let turn = 0; turn < 40; turn++) pace.changed(100, 0)
  t.is(pace.group(), usual)
})
