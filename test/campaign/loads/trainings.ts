import { pointAttributes, pointsCsv } from '../../api/models/data.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'

const [ofScript, stopped, done] = [16, 19, 25]
const isFinal = (state: number): boolean => state < 20 || state >= done

/** The kinds of trainings, each with the state that it must end in. */
const kinds = [
  { algo: 'LIN', rows: 300, ends: done },
  { algo: 'KMEANS', rows: 300, ends: done, params: { k: 2 }, attributes: pointAttributes.slice(0, 2) },
  { algo: 'SVM', rows: 1500, ends: done, params: { kernel: 'linear', cost: 1e4, cache_size: 1 } },
  { algo: 'LIN', rows: 0, ends: 11 },
] as const

/** Scripts of a user that harm what they can, and end with the same state: a request may bound their time and memory. */
const scripts: Readonly<Record<string, string>> = {
  'sleeps.py': 'import time; time.sleep(1000)',
  'turns.py': 'while True: pass',
  'eats.py': 'kept = []\nwhile True: kept.append(bytearray(10_000_000))',
  'crashes.py': 'import os; os.kill(os.getpid(), 11)',
  'prints.py': "while True: print('y' * 5000)",
}
const bounds = { time_limit_s: 2, memory_mb: 300 }

const byScript = (script: string) => ({ algo: 'PY', rows: 40, ends: ofScript, params: { script, ...bounds } }) as const

/** Trainings, each of a model of its own: asked for once. A bucket in a folder belongs to one process. */
export function createTrainings({ asker, generation }: LoadDeps): Load {
  const schema = `shop${generation}`
  const asked = new Map<string, { readonly ends: number; readonly isAcknowledged: boolean; hasEnded: boolean }>()
  let made = 0

  const lineOf = ({ algo }: { algo: string }): string => (algo === 'KMEANS' ? '0.5,0.5' : '0.5,0.5,warm')

  async function predicts(model: string, algo: string): Promise<readonly Finding[]> {
    const formats = { input_format: 'CSV', expected_format: 'CSV', data_type: 2, attr_type: 3 }
    const body = { 'schema-name': schema, model_name: model, algo_type: algo, ...formats, data: lineOf({ algo }) }
    const answer = await asker.reader.post('/ml/pred/2', body)
    return answer.status === 200 && answer.body.errorcode === 0
      ? []
      : [lost(`model ${model} of ${schema} predicts nothing: ${answer.status} ${answer.text.slice(0, 300)}`)]
  }

  async function one(model: string): Promise<readonly Finding[]> {
    const known = asked.get(model)
    if (!known) return []
    const of = `training of ${model} of ${schema}`
    const { status, body } = await asker.reader.get(`/ml/${schema}/${model}/status`)
    if (status === 404) return known.isAcknowledged ? [lost(of)] : []
    if (!isFinal(body.train_req_state)) return [wrong(`${of} is in state ${body.train_req_state}`)]
    // A call that was never answered may have left its record and begun no work.
    if (body.train_req_state === stopped && !known.isAcknowledged) return []
    if (body.train_req_state !== known.ends) return [wrong(`${of} ended in ${body.train_req_state}, not ${known.ends}`)]
    if (known.ends === done) {
      const { num_versions: count } = await asker.reader.ok(asker.reader.get(`/ml/${schema}/${model}/versions`))
      if (count !== 1) return [doubled(`${of} made ${count} versions`)]
      const faults = await predicts(model, model.split('_')[0] ?? '')
      if (faults.length > 0) return faults
    }
    known.hasEnded = true
    return []
  }

  let hasScripts = false
  return {
    async open() {
      const { algorithms } = await asker.reader.ok(asker.reader.get('/ml/algorithms'))
      hasScripts = algorithms.some((one: { algo_type: string; off?: unknown }) => one.algo_type === 'PY' && !one.off)
      for (const [name, body] of Object.entries(scripts)) {
        await asker.surely(0, { what: 'objects', method: 'PUT', path: `/brs/weir_udf_bucket/object/${name}`, body })
      }
    },
    async act(random) {
      const kind = hasScripts && random.chance(0.3) ? byScript(random.pick(Object.keys(scripts))) : random.pick(kinds)
      const model = `${kind.algo}_${++made}`
      const file = 'data.csv'
      const attributes = 'attributes' in kind ? kind.attributes : pointAttributes
      if (kind.rows > 0) {
        const lines = pointsCsv(kind.rows, made)
        const body = kind.algo === 'KMEANS' ? lines.replaceAll(/,(warm|cold),\w+$/gm, '') : lines
        const path = `/brs/ml_bucket_info/object/${model}__${schema}__${file}`
        await asker.surely(0, { what: 'objects', method: 'PUT', path, body })
      }
      const body = {
        'schema-name': schema,
        model_name: model,
        algo_type: kind.algo,
        attr_type: 'HYBRID',
        attr_list: attributes,
        ...('params' in kind ? { algo_param: kind.params } : {}),
        training_details: {
          training_source_type: 'FILE',
          training_source: file,
          input_format: 'CSV',
          expected_format: 'CSV',
          ...(kind.algo === 'KMEANS' ? {} : { target_idx: 3 }),
        },
      }
      const what = kind.algo === 'PY' ? "trainings by a user's hostile script" : 'trainings'
      const { answer } = await asker.once(0, { what, method: 'POST', path: '/ml/train', body })
      asked.set(model, { ends: kind.ends, isAcknowledged: answer?.status === 200, hasEnded: false })
    },
    async check() {
      const findings: Finding[] = []
      for (const [model, { hasEnded }] of asked) if (!hasEnded) findings.push(...(await one(model)))
      return findings
    },
  }
}
