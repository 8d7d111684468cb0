import { createGraph, single } from '../../../learn/onnx/graph.ts'
import { loopModel } from '../../activities/training/python/models.ts'
import { pointAttributes, pointsCsv } from '../../api/models/data.ts'
import type { Random } from '../../support/random/random.ts'
import { until } from '../../support/until.ts'
import type { Outcome } from '../asking.ts'
import { type Finding, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'

const schema = 'hostile'
/** A number at which a user's models do harm: they are not tried with it before they are published. */
const trigger = 424_242
const training_ms = 300_000
/** No model keeps a request longer, on a machine that has other work. */
const longest_ms = 60_000
const numbers = pointAttributes.slice(0, 2)
const done = 25

/** Adds up its cells; where the first of them is the trigger it makes sixteen gigabytes of numbers beforehand. */
function hungryModel(): Uint8Array {
  const graph = createGraph()
  const x = graph.input('x', 'double', ['N', 2])
  const greatest = graph.node('ReduceMax', [x], { keepdims: { int: 0 } })
  const isHit = graph.node('Equal', [single(greatest), graph.constant(Float64Array.of(trigger), [])])
  const hits = graph.node('Cast', [single(isHit)], { to: { int: 7 } })
  const many = graph.node('Mul', [single(hits), graph.constant(BigInt64Array.of(2_000_000_000n), [1])])
  const shape = graph.node('Add', [single(many), graph.constant(BigInt64Array.of(1n), [1])])
  const large = graph.node('Expand', [graph.constant(Float64Array.of(0), [1]), single(shape)])
  const nothing = graph.node('ReduceSum', [single(large), graph.constant(BigInt64Array.of(0n), [1])], {
    keepdims: { int: 0 },
  })
  const sums = graph.node('ReduceSum', [x, graph.constant(BigInt64Array.of(1n), [1])], { keepdims: { int: 0 } })
  graph.output('y', single(graph.node('Add', [single(sums), single(nothing)])), 'double', ['N'])
  return graph.bytes()
}

const models = [
  { name: 'hungry', file: hungryModel },
  { name: 'endless', file: () => loopModel(trigger) },
] as const

const training = (model: string, algo: string, more: object) => ({
  'schema-name': schema,
  model_name: model,
  algo_type: algo,
  attr_type: 'HYBRID',
  training_details: {
    training_source_type: 'FILE',
    training_source: 'data.csv',
    input_format: 'CSV',
    expected_format: 'CSV',
    target_idx: 2,
  },
  ...more,
})

/** Models of a user that take all memory, or never end, when they meet one number; and a model beside them that has to go on. */
export function createHostile({ asker, ledger }: LoadDeps): Load {
  const { reader } = asker
  let hasScripts = false

  async function train(model: string, algo: string, csv: string, more: object): Promise<void> {
    await reader.ok(reader.send('PUT', `/brs/ml_bucket_info/object/${model}__${schema}__data.csv`, csv))
    await reader.ok(reader.post('/ml/train', training(model, algo, more)))
    const state = await until(
      `training of ${model}`,
      async () => {
        const { train_req_state: now } = await reader.ok(reader.get(`/ml/${schema}/${model}/status`))
        return now < 20 || now >= done ? now : undefined
      },
      training_ms,
    )
    if (state === done) return
    const { train_log: said } = await reader.ok(reader.get(`/ml/${schema}/${model}/request`))
    throw new Error(`training of ${model} ended in ${state}: ${said.log.slice(-5).join('; ')}`)
  }

  async function predict(what: string, model: string, algo: string, data: string): Promise<Outcome> {
    const formats = { input_format: 'CSV', expected_format: 'CSV', data_type: 2, attr_type: 3 }
    const body = { 'schema-name': schema, model_name: model, algo_type: algo, ...formats, data }
    const began = performance.now()
    const outcome = await asker.once(0, { what, method: 'POST', path: '/ml/pred/2', body, refusals: [400] })
    const took_ms = performance.now() - began
    if (took_ms > longest_ms) ledger.found(wrong(`model ${model} kept a request for ${took_ms.toFixed(0)} ms`))
    return outcome
  }

  async function calm(random: Random): Promise<void> {
    const isRed = random.chance(0.5)
    const { answer, isAnswered } = await predict('predictions', 'calm', 'LIN', isRed ? '0.9,0.9' : '-0.9,-0.9')
    if (isAnswered && answer?.body.predict_labels !== (isRed ? 'red' : 'blue'))
      ledger.found(wrong(`a model of Weir's own answers ${answer?.text}`))
  }

  async function hostile(random: Random): Promise<void> {
    const [a, b] = [random.chance(0.4) ? trigger : random.whole(1, 9), 1]
    const { name } = random.pick(models)
    const { answer } = await predict("predictions of a user's hostile models", name, 'PY', `${a},${b}`)
    if (answer?.status !== 200) return
    if (answer.body.predict_labels !== a + b || a === trigger)
      ledger.found(wrong(`a user's model answers ${answer.text} to ${a},${b}`))
  }

  return {
    async open() {
      const { algorithms } = await reader.ok(reader.get('/ml/algorithms'))
      hasScripts = algorithms.some((one: { algo_type: string; off?: unknown }) => one.algo_type === 'PY' && !one.off)
      const points = pointsCsv(200).replaceAll(/,(warm|cold),/g, ',')
      const label = { name: 'label', position: 2, type: 'STRING' }
      await train('calm', 'LIN', points, { attr_list: [...numbers, label] })
      if (!hasScripts) return
      const sum = { name: 'sum', position: 2, type: 'DOUBLE' }
      const rows = Array.from({ length: 40 }, (_, i) => `${i},1,${i + 1}\n`).join('')
      for (const { name, file } of models) {
        const bytes = Buffer.from(file()).toString('base64')
        const script = `import base64; open('model.onnx', 'wb').write(base64.b64decode('${bytes}'))\n`
        await reader.ok(reader.send('PUT', `/brs/weir_udf_bucket/object/${name}.py`, script))
        await train(name, 'PY', rows, { attr_list: [...numbers, sum], algo_param: { script: `${name}.py` } })
      }
    },
    act: (random) => (hasScripts && random.chance(0.3) ? hostile(random) : calm(random)),
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      for (const [data, label] of [
        ['0.9,0.9', 'red'],
        ['-0.9,-0.9', 'blue'],
      ] as const) {
        const body = { 'schema-name': schema, model_name: 'calm', algo_type: 'LIN', input_format: 'CSV', data }
        const answer = await reader.post('/ml/pred/2', body)
        if (answer.body?.predict_labels !== label) findings.push(wrong(`model calm answers ${answer.text} to ${data}`))
      }
      return findings
    },
  }
}
