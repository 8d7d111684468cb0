/** docs/errors.md has each status and errcode of the service, and no other. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { trainingState } from '../../activities/models/training-states.ts'
import { statusOf } from '../../api/http/statuses.ts'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

/** The first two cells of the rows of the table below a heading. */
function rowsBelow(heading: string): [first: string, second: string][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)
  return [...rows].slice(1).map(([, first = '', second = '']) => [first, second])
}

test('every example of the page about errors gives the answer that is shown', async (t) => {
  const { url, close } = await startService()
  t.teardown(close)
  await checkExamples(t, examplesOf(page), { url, analysts: url })
})

test('each status with its errcode stands on the page, and no other', (t) => {
  const shown = rowsBelow('Codes').map(([status, errcode]) => `${status} ${errcode}`)
  const known = Object.values(statusOf).map(([status, errcode]) => `${status} ${errcode}`)
  t.deepEqual([...new Set(shown)].toSorted(), [...new Set(known)].toSorted())
})

test('each state of a training stands on the page, and no other', (t) => {
  const shown = rowsBelow('States of a training').flatMap(([cell]) => {
    const [first = 0, last = first] = cell.split(' to ').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  t.deepEqual(shown, Object.values(trainingState))
})
