import { setTimeout as sleep } from 'node:timers/promises'
import { attributesOf } from './data.ts'

const longest_ms = 1_800_000

export type Algorithm = { readonly algo_type: string; readonly algo_param?: object; readonly columns: number }

/** The calls of a service that the benchmark of models makes. It asks for a status every `pause_ms`. */
export function createModelClient(base: string, pause_ms = 20) {
  async function ask(method: string, path: string, body?: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${base}${path}`, { method, ...(body !== undefined && { body }) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }

  /** Resolves to the status once its state is final; throws where that is a failure. */
  async function untilDone(path: string, member: string): Promise<Record<string, unknown>> {
    for (const until = Date.now() + longest_ms; Date.now() < until; await sleep(pause_ms)) {
      const status = await ask('GET', path)
      const state = Number(status[member])
      if (state === 25) return status
      if (state < 20) throw new Error(`${path}: state ${state}`)
    }
    throw new Error(`${path} takes longer than ${longest_ms} ms`)
  }

  return {
    ask,
    untilDone,
    put: (model: string, file: string, text: string) =>
      ask('PUT', `/brs/ml_bucket_info/object/${model}__bench__${file}`, text),

    async train(model: string, { algo_type, algo_param = {}, columns }: Algorithm): Promise<void> {
      const training_details = {
        training_source_type: 'FILE',
        training_source: 'training.csv',
        input_format: 'CSV',
        target_idx: columns,
      }
      const attr_list = attributesOf(columns)
      const request = { 'schema-name': 'bench', model_name: model, algo_type, algo_param, attr_list, training_details }
      await ask('POST', '/ml/train', JSON.stringify(request))
      await untilDone(`/ml/bench/${model}/status`, 'train_req_state')
    },

    predictLine: (model: string, data: string) =>
      ask(
        'POST',
        '/ml/pred/2',
        JSON.stringify({ 'schema-name': 'bench', model_name: model, data_type: 2, input_format: 'CSV', data }),
      ),

    /** Rows a second from the request to the file that is written. */
    async predictFile(model: string, file: string): Promise<number> {
      const request = { 'schema-name': 'bench', model_name: model, data_type: 1, input_format: 'CSV', data: file }
      await ask('POST', '/ml/pred/1', JSON.stringify(request))
      const status = await untilDone(`/ml/bench/${model}/${file}/status`, 'pred_req_state')
      if (status.num_failed !== 0) throw new Error(`${status.num_failed} rows could not be predicted`)
      return (1e6 * Number(status.num_rows)) / (Number(status.pred_end_ts) - Number(status.pred_start_ts))
    },
  }
}

export type ModelClient = ReturnType<typeof createModelClient>
