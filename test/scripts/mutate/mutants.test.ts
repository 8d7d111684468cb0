import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { isWhere, mutants } from '../../../scripts/mutate/mutants/index.js'
import { linesOf, page } from '../../../scripts/mutate/table.js'
import { root } from '../../../scripts/processes/run.js'

test('each mutant is of a text that its file has once, and of tests that are there', (t) => {
  t.deepEqual(
    mutants.filter((mutant) => !isWhere(root, mutant)).map(({ id, file }) => `${id}: ${file}`),
    [],
  )
  t.deepEqual(
    mutants.filter(({ find, put }) => find === put),
    [],
  )
  const tests = new Set(mutants.flatMap(({ tests }) => tests))
  t.deepEqual(
    [...tests].filter((file) => !existsSync(join(root, file))),
    [],
  )
  t.is(new Set(mutants.map(({ id }) => id)).size, mutants.length)
})

test('docs/tests.md tells of each mutant, that it was tried and is seen', (t) => {
  const lines = linesOf(readFileSync(page, 'utf8'))
  t.deepEqual(
    [...lines.keys()],
    mutants.map(({ id }) => id),
  )
  t.deepEqual(
    [...lines].filter(([, line]) => line.includes('**none**')),
    [],
  )
})
