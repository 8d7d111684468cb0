import { spawnSync } from 'node:child_process'
import test from 'ava'
import fc from 'fast-check'
import { loader, pathOf } from '../program.ts'
import { randomFor, seed, turnOf } from './seed.ts'

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

test('a gate takes its part of the rounds and cases, --all and every other run takes all of them', (t) => {
  const code = `import(${JSON.stringify(pathOf('test/support/random/seed.ts'))}).then(({ isTaken, rounds }) => {
    const taken = [0, 1, 2, 3, 4, 5].filter((index) => isTaken(index, 3))
    process.stdout.write(JSON.stringify([rounds(9, 2), taken]))
  })`
  const taken = (env: Readonly<Record<string, string>>) => {
    const { WEIR_TEST_GATE, WEIR_TEST_ALL, ...others } = process.env
    const all = { env: { ...others, ...env }, encoding: 'utf8' } as const
    return JSON.parse(spawnSync(process.execPath, [...loader, '-e', code], all).stdout)
  }
  const everything = [9, [0, 1, 2, 3, 4, 5]]
  t.deepEqual(taken({ WEIR_SEED: '31' }), everything)
  t.deepEqual(taken({ WEIR_SEED: '31', WEIR_TEST_GATE: '1', WEIR_TEST_ALL: '1' }), everything)
  t.deepEqual(taken({ WEIR_SEED: '31', WEIR_TEST_GATE: '1' }), [2, [1, 4]])
  t.deepEqual(taken({ WEIR_SEED: '32', WEIR_TEST_GATE: '1' }), [2, [2, 5]])
})

test('gates in a row take every case in its turn, and so do those that take the same share of the files', (t) => {
  for (const step of [1, 10]) {
    for (const every of [2, 3, 4, 5, 6, 8, 9, 10, 27]) {
      const taken = Array.from({ length: every }, (_, gate) => turnOf(1_234_567 + step * gate) % every)
      // A step from one ten to the next passes over a case, which comes with the gates behind.
      if (step === 10) t.is(new Set(taken).size, every, `one in ${every}`)
      else t.true(new Set(taken).size >= every - Math.ceil(every / 10), `one in ${every}`)
    }
  }
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
