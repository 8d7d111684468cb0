import test from 'ava'
import { createModelProcesses, usualModelProcess } from '../../../../activities/models/process/model-processes.ts'
import { checkModel } from '../../../../activities/training/python/train-by-script.ts'
import { endlessModel, loopModel, modelInTwoFiles, sumModel } from './models.ts'

const { signal } = new AbortController()
const apart = createModelProcesses({ ...usualModelProcess, isUncaged: true, time_ms: 3_000 })

test.serial('a model that never ends is given up, and the service is well', async (t) => {
  await t.throwsAsync(checkModel(apart, endlessModel(), 2, signal), {
    message: "model.onnx cannot predict 3 rows: the model's process is gone: it took longer than 3 s",
  })
})

test.serial('a model that never ends on large numbers is refused, though zeros are no trouble to it', async (t) => {
  await t.throwsAsync(checkModel(apart, loopModel(), 2, signal), {
    message: "model.onnx cannot predict one row: the model's process is gone: it took longer than 3 s",
  })
})

test.serial('a model whose weights stand in another file is refused', async (t) => {
  await t.throwsAsync(checkModel(apart, modelInTwoFiles('/etc/ld.so.cache'), 2, signal), {
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
      t.deepEqual(await checkModel(apart, sumModel(type, 'width'), 5, signal), {
        input: { name: 'x', type: name },
        output: { name: 'sum', type: name },
      })
    }
  },
)

test.serial('a check that is given up ends with the reason', async (t) => {
  const stop = new AbortController()
  const checked = checkModel(apart, endlessModel(), 2, stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 300)
  await t.throwsAsync(checked, { message: 'enough' })
})
