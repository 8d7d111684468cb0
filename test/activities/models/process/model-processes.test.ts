import test from 'ava'
import { Tensor } from 'onnxruntime-node'
import { createModelProcesses, usualModelProcess } from '../../../../activities/models/process/model-processes.ts'
import { createStrikes } from '../../../../activities/models/process/strikes.ts'
import { Fault } from '../../../../base/faults.ts'
import { createGraph, single } from '../../../../learn/onnx/graph.ts'
import { loopModel, oneNode, sumModel } from '../../training/python/models.ts'

const apart = createModelProcesses({ ...usualModelProcess, isUncaged: true, memory_mb: 300, time_ms: 1_500 })

test.serial('a model is refused where no cage can be built, by a reason that names the setting', async (t) => {
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  const confined = createModelProcesses({ ...usualModelProcess, memory_mb: 300 })
  const refused = await t.throwsAsync(confined.open('', sumModel()), { instanceOf: Fault }).finally(() => {
    process.env.PATH = PATH
  })
  t.is(refused?.kind, 'conflict')
  t.regex(refused?.message ?? '', /this machine cannot cage them \(spawn unshare ENOENT\); with PY_UNCAGED=1/)
})

const rows = (cells: readonly number[]): { x: Tensor } => ({
  x: new Tensor('float64', Float64Array.from(cells), [cells.length / 2, 2]),
})
const listOf = (tensor: Tensor | undefined) => [...(Array.isArray(tensor?.data) ? tensor.data : (tensor?.data ?? []))]

/** How long the event loop stood still at most while `work` went on. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  await work.catch(() => {})
  clearInterval(timer)
  return longest
}

/** A model that asks for as many numbers as the first cell says. */
function hungryModel(): Uint8Array {
  const graph = createGraph()
  const x = graph.input('x', 'double', ['N', 2])
  const flat = graph.node('ReduceMax', [x], { keepdims: { int: 0 } })
  const count = graph.node('Cast', [single(flat)], { to: { int: 7 } })
  const shape = graph.node('Reshape', [single(count), graph.constant(BigInt64Array.of(1n), [1])])
  const large = graph.node('Expand', [graph.constant(Float64Array.of(1), [1]), single(shape)])
  const sum = graph.node('ReduceSum', [single(large), graph.constant(BigInt64Array.of(0n), [1])], {
    keepdims: { int: 0 },
  })
  const ones = graph.node('ReduceSum', [x, graph.constant(BigInt64Array.of(1n), [1])], { keepdims: { int: 0 } })
  graph.output('y', single(graph.node('Add', [single(ones), single(sum)])), 'double', ['N'])
  return graph.bytes()
}

test.serial('a model apart answers as one in this process does, in any type', async (t) => {
  const model = await apart.open('sum', sumModel())
  t.deepEqual(model.inputMetadata, [{ name: 'x', isTensor: true, type: 'float64', shape: ['N', 2] }])
  const found = await model.run(rows([1, 2, 3, Number.NaN]), ['sum'])
  t.deepEqual(listOf(found.sum), [3, Number.NaN])
  const many = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => listOf((await model.run(rows([n, 1]), ['sum'])).sum)[0]),
  )
  t.deepEqual(
    many,
    Array.from({ length: 100 }, (_, n) => n + 1),
  )
  await model.release()
  const words = await apart.open('words', oneNode('Identity', 'string', ['N'], 'string'))
  const said = await words.run({ x: new Tensor('string', ['é', ''], [2]) }, ['y'])
  t.deepEqual(listOf(said.y), ['é', ''])
  await words.release()
})

test.serial('a model that loops as its data say is ended, and the event loop stays free', async (t) => {
  const model = await apart.open('loop', loopModel())
  t.deepEqual(listOf((await model.run(rows([3, 1]), ['y'])).y), [4])
  const looping = model.run(rows([1e12, 1]), ['y'])
  const pause = await longestPause(looping)
  t.log(`the event loop stood still for ${pause.toFixed(0)} ms`)
  await t.throwsAsync(looping, { message: "the model's process is gone: it took longer than 1.5 s" })
  t.true(model.hasEnded())
})

test.serial("callers whose own data did not end a model's process are told to try again", async (t) => {
  const short = createModelProcesses({ ...usualModelProcess, isUncaged: true, memory_mb: 300, time_ms: 1_000 })
  const model = await short.open('shared', loopModel())
  const guilty = model.run(rows([1e12, 1]), ['y'])
  const waiting = model.run(rows([1, 1]), ['y'])
  const [own, other] = await Promise.allSettled([guilty, waiting])
  t.like(own, { reason: { name: 'Refusal' } })
  t.like(other, { reason: { kind: 'unavailable', details: { retryAfter: 1 } } })
  await t.throwsAsync(model.run(rows([1, 1]), ['y']), { message: /ended over another prediction; try again/ })
})

test.serial('a caller that asks while a model is being ended is no more blamed', async (t) => {
  const model = await apart.open('ending', sumModel())
  const ended = model.release()
  await t.throwsAsync(model.run(rows([1, 1]), ['sum']), { message: /try again/ })
  await ended
  t.true(model.hasEnded())
})

test.serial('a model that takes all memory fails in its own process', async (t) => {
  const before = process.memoryUsage.rss()
  const model = await apart.open('hungry', hungryModel())
  await t.throwsAsync(model.run(rows([2e9, 1]), ['y']), { message: /failed on the data|process is gone/ })
  t.true(process.memoryUsage.rss() - before < 200 * 2 ** 20)
  await model.release()
})

test.serial('a model that is no model is refused, and its process goes', async (t) => {
  const refused = await t.throwsAsync(apart.open('bad', new Uint8Array(100)), { message: /does not load/ })
  t.is(refused.name, 'Refusal')
})

test.serial('a model that ends its process again and again is left alone for a while', async (t) => {
  for (let turn = 0; turn < 3; turn += 1) {
    const model = await apart.open('looping', loopModel())
    await t.throwsAsync(model.run(rows([1e12, 1]), ['y']))
  }
  await t.throwsAsync(apart.open('looping', loopModel()), {
    message: /has ended its process 3 times, and is left alone/,
  })
  const other = await apart.open('another', loopModel())
  await other.release()
})

test('a model that rested may try once more', (t) => {
  let now = 0
  const strikes = createStrikes(() => now)
  for (let turn = 0; turn < 3; turn += 1) {
    strikes.check('a')
    strikes.add('a')
  }
  t.throws(() => strikes.check('a'))
  strikes.check('b')
  now = 300_000
  strikes.check('a')
  strikes.add('a')
  t.throws(() => strikes.check('a'))
  now = 2_000_000
  strikes.add('a')
  strikes.check('a')
})
