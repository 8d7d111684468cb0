import { readFileSync } from 'node:fs'
import test from 'ava'
import createWabt from 'wabt'
import { type Choice, type Passes, plainPasses, vectorPasses } from '../../../../learn/algorithms/svm/smo/passes.ts'
import { passesModule } from '../../../../learn/algorithms/svm/smo/passes-module.ts'
import { createRandom } from '../../../../learn/random.ts'
import { seed } from '../../make-data.ts'

const source = new URL('../../../../learn/algorithms/svm/smo/passes.wat', import.meta.url)

test('passes by WebAssembly choose the variables of plain code and leave the same gradient, to the bit, ties and variables set aside included', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 200; round++) {
    const length = 1 + random.below(70)
    const active = round % 3 === 0 ? length : 1 + random.below(length)
    // Few values, so that many variables are as good as each other.
    const values = 2 + random.below(round % 2 === 0 ? 4 : 1_000)
    const value = (): number => random.below(values) - Math.floor(values / 2)
    const row = (): Float32Array => Float32Array.from({ length }, () => value() / 7)
    const variables = {
      y: Float64Array.from({ length }, () => (random.below(2) === 0 ? 1 : -1)),
      diagonal: Float64Array.from({ length }, () => 1 + random.below(2)),
      sides: Uint8Array.from({ length }, () => 1 + random.below(round % 5 === 0 ? 2 : 3)),
      active,
    }
    const start = Float64Array.from({ length }, () => value() / 3)
    const turned = { at: random.below(length), side: 1 + random.below(3) }
    const rows = [row(), row(), row()] as const
    const outcome = (passes: Passes | undefined) => {
      if (passes === undefined) throw new Error('no memory')
      passes.gradient.set(start)
      const own = { ...variables, sides: variables.sides.slice() }
      passes.arrange(own)
      const first = passes.steepest()
      const choice: Choice = { first, second: -1, gap: 0, coupling: 0 }
      if (first !== -1) passes.partner(rows[0], choice)
      if (turned.at < active) {
        own.sides[turned.at] = turned.side
        passes.turn(turned.at, turned.side)
      }
      const next = [
        passes.move(first === -1 ? rows[1] : undefined, 0.1, rows[1], 0.7),
        passes.move(rows[1], 0.5, rows[2], -0.3),
      ]
      return {
        ...choice,
        coupling: choice.second === -1 ? 0 : choice.coupling,
        next,
        gradient: passes.gradient.slice(0, active),
      }
    }
    t.deepEqual(outcome(vectorPasses(length)), outcome(plainPasses(length)), `round ${round}`)
  }
})

test('the binary module is the one of its source', async (t) => {
  const { parseWat } = await createWabt()
  const { buffer } = parseWat('passes.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({})
  t.is(passesModule, Buffer.from(buffer).toString('base64'))
})
