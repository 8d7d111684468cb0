import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { checkModel } from '../../../../activities/models/algorithms/python/check-model.ts'
import type { End, RunProgram } from '../../../../infra/subprocess/run.ts'
import { runProgram } from '../../../../infra/subprocess/subprocess.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endlessModel, modelInTwoFiles, sumModel } from './models.ts'

const calm = { signal: new AbortController().signal, beat: () => {} }

const impatient: RunProgram = (run) => runProgram({ ...run, limits: { ...run.limits, time_ms: 6_000 } })

test.serial('a model that never ends is given up, and the service is well', async (t) => {
  await t.throwsAsync(checkModel(impatient, endlessModel(), 2, { folder: temporaryFolder(), ...calm }), {
    message: 'model.onnx cannot be used: its check was stopped, as it ran longer than 6 s',
  })
})

test.serial('a model whose weights stand in another file is refused', async (t) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'weights.bin'), new Uint8Array(16))
  await t.throwsAsync(checkModel(runProgram, modelInTwoFiles('weights.bin'), 2, { folder, ...calm }), {
    message: /^model.onnx does not load: /,
  })
})

test.serial(
  'a model is called as it wants to be: one or two precisions, and a width that it leaves open',
  async (t) => {
    for (const [type, name] of [
      ['float', 'float32'],
      ['double', 'float64'],
    ] as const) {
      t.deepEqual(await checkModel(runProgram, sumModel(type, 'width'), 5, { folder: temporaryFolder(), ...calm }), {
        input: { name: 'x', type: name },
        output: { name: 'sum', type: name },
      })
    }
  },
)

const ends: readonly (readonly [End, RegExp])[] = [
  [{ kind: 'signal', signal: 'SIGSEGV' }, /^model.onnx crashes the runtime \(SIGSEGV\)$/],
  [
    { kind: 'limit', reason: 'it took more than 4096 MB of memory' },
    /stopped, as it took more than 4096 MB of memory$/,
  ],
  [{ kind: 'exit', code: 9 }, /^the check of model.onnx failed: last words$/],
]

for (const [end, reason] of ends) {
  test.serial(`a check that ends by ${JSON.stringify(end)} says so`, async (t) => {
    const ended: RunProgram = async ({ line }) => {
      line('last words')
      line('')
      return end
    }
    await t.throwsAsync(checkModel(ended, new Uint8Array(), 2, { folder: temporaryFolder(), ...calm }), {
      message: reason,
    })
  })
}
