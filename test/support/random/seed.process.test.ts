import { spawnSync } from 'node:child_process'
import test from 'ava'
import fc from 'fast-check'
import { loader, pathOf } from '../program.ts'
import { randomFor, seed } from './seed.ts'

const numbers = (t: Parameters<typeof randomFor>[0]) => {
  const random = randomFor(t)
  return Array.from({ length: 5 }, () => random.next())
}
const drawn: string[] = []

test('a test draws the same numbers for the same seed', (t) => {
  t.deepEqual(numbers(t), numbers(t))
  drawn.push(numbers(t).join())
})

test('another test draws others', (t) => {
  drawn.push(numbers(t).join())
  t.is(new Set(drawn).size, drawn.length)
})

test("fast-check's cases come from the same seed", (t) => {
  const cases: number[] = []
  fc.assert(
    fc.property(fc.nat(), (n) => void cases.push(n)),
    { numRuns: 5 },
  )
  t.deepEqual(cases, fc.sample(fc.nat(), { numRuns: 5, seed }))
})

test('a seed that is no number ends the test process', (t) => {
  const code = `import(${JSON.stringify(pathOf('test/support/random/seed.ts'))})`
  const { status, stderr } = spawnSync(process.execPath, [...loader, '-e', code], {
    env: { ...process.env, WEIR_SEED: 'x' },
    encoding: 'utf8',
  })
  t.not(status, 0)
  t.regex(stderr, /WEIR_SEED: must be a whole number, and is x/)
})
