import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { measureRows } from '../../../../activities/training/fit/measure-rows.ts'
import { writePrepared } from '../../../../activities/training/fit/prepared.ts'
import { openTrainingThreads } from '../../../../activities/training/threads/open-training-threads.ts'
import { algorithmOf } from '../../../../learn/algorithms/index.ts'
import { metadataOf } from '../../../../learn/description.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createGraph, single } from '../../../../learn/onnx/graph.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'

const layout = {
  columns: [{ name: 'x', position: 0, kind: 'number' }],
  target: { name: 'y', position: 1 },
  separator: ',',
} as const

/** A model that takes about a second for some hundred rows, inside of ONNX Runtime. */
function slowModel(): Uint8Array {
  const width = 512
  const graph = createGraph()
  const wide = graph.constant(new Float64Array(width).fill(1 / width), [1, width])
  const square = graph.constant(new Float64Array(width * width).fill(1 / width), [width, width])
  let value = single(graph.node('MatMul', [graph.input('numbers', 'double', ['N', 1]), wide]))
  for (let i = 0; i < 20; i++) value = single(graph.node('MatMul', [value, square]))
  const axes = graph.constant(BigInt64Array.of(1n), [1])
  const sum = graph.node('ReduceSum', [value, axes], { keepdims: { int: 0 } })
  graph.output('label', single(sum), 'double', ['N'])
  const description = {
    weir: 1,
    algorithm: 'TEST',
    task: 'numbers',
    attributes: layout.columns.map((column) => ({ ...column })),
    target: layout.target,
    separator: ',',
    outside: [],
    batch: 1024,
  } as const
  for (const [key, text] of metadataOf({ ...description, attributes: [...description.attributes], outside: [] })) {
    graph.metadata(key, text)
  }
  return graph.bytes()
}

const file = slowModel()
const rows = Buffer.from('1,1\n'.repeat(2000))

/** Compares the model with rows, and tells when they are handed over: then the model is run. */
function compare(threads: ReturnType<typeof openTrainingThreads>, signal: AbortSignal) {
  let hand = (): void => {}
  const handed = new Promise<void>((resolve) => {
    hand = resolve
  })
  async function* pieces() {
    yield rows
  }
  const open = async () => {
    hand()
    return pieces()
  }
  const task = { kind: 'compare', file, format: 'CSV', layout } as const
  return {
    handed,
    answer: threads.run(task, { signal, log: () => {}, progress: () => {}, refusedState: (state) => state }, [open]),
  }
}

test('a task that is stopped while its thread is in ONNX Runtime takes nothing along', async (t) => {
  const threads = openTrainingThreads(2)
  t.teardown(() => threads.close())
  let stopped = 0
  for (const wait_ms of [10, 50, 100]) {
    const stop = new AbortController()
    const { handed, answer } = compare(threads, stop.signal)
    await handed
    await sleep(wait_ms)
    stop.abort()
    // On a fast machine it may be done by then.
    await answer.catch(() => stopped++)
  }
  t.true(stopped > 0)
  const { answer } = compare(threads, new AbortController().signal)
  t.like(await answer, { metrics: { rows: 400 } })
})

test('threads that are closed while one is in ONNX Runtime wait for it', async (t) => {
  const threads = openTrainingThreads(1)
  const { handed, answer } = compare(threads, new AbortController().signal)
  const ended = answer.then(
    () => {},
    () => {},
  )
  await handed
  await sleep(20)
  await threads.close()
  await ended
  t.pass()
})

test('where a file is held out one fit makes the model and its metrics', async (t) => {
  const threads = openTrainingThreads(1)
  t.teardown(() => threads.close())
  const rows = Array.from({ length: 60 }, (_, i) => ({ line: i + 1, cells: [i % 20], target: i % 20 > 9 ? 'b' : 'a' }))
  const whole = { kind: 'table', table: tableOf(layout, rows), sample: rows.slice(0, 8) } as const
  const held = Int32Array.from({ length: 20 }, (_, i) => 40 + i)
  const parameters = decodeParameters(algorithmOf('LIN').parameters, {})
  const request = { algorithm: 'LIN', parameters, scale: true, version: '1' } as const
  const learn = async (isFile: boolean) => {
    const log: string[] = []
    const prepared = { ...whole, split: { held, isFile } }
    const task = { kind: 'fit', request, prepared: writePrepared(prepared) } as const
    const hearing = { log: (line: string) => void log.push(line), progress: () => {}, refusedState: () => 18 as const }
    const answer = await threads.run(task, { signal: new AbortController().signal, ...hearing })
    const metrics = 'fitted' in answer ? answer.metrics : undefined
    return { metrics, fits: log.filter((line) => /settled/.test(line)).length, prepared }
  }
  const { metrics, fits, prepared } = await learn(true)
  t.is(fits, 1)
  const silent = { log: () => {}, beat: () => {} }
  t.deepEqual(metrics, { ...measureRows(request, prepared, silent), rows_learnt: 40 })
  t.is((await learn(false)).metrics, undefined)
})
