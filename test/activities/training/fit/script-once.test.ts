import test from 'ava'
import { decodeTraining } from '../../../../activities/training/decode/decode-request.ts'
import type { TrainingDeps } from '../../../../activities/training/deps.ts'
import { createFitting } from '../../../../activities/training/fit/fitting.ts'
import type { StepContext } from '../../../../activities/training/step.ts'
import { requestOf } from '../../../api/models/trainer.ts'

for (const holdout of [undefined, { file: 'test.csv' }]) {
  test(`a script runs ${holdout ? 'once where a file is held out' : 'for the model and for its metrics'}, and both are written`, async (t) => {
    const written = new Map<string, Buffer>([
      ['check', Buffer.from(JSON.stringify({ rows: 20, means: {}, held: [1, 2] }))],
      ['tuned', Buffer.from('{"parameters":{},"shown":{}}')],
    ])
    const files = {
      has: async (_: unknown, name: string) => written.has(name),
      read: async (_: unknown, name: string) => written.get(name),
      stream: async () => (async function* () {})(),
      write: async (_: unknown, name: string, bytes: Buffer) => void written.set(name, bytes),
    }
    let runs = 0
    const deps = {
      files,
      trainings: { update: async () => {} },
      runScript: async () => {
        runs += 1
        return Buffer.from([runs])
      },
      threads: { run: async ({ file }: { file: Buffer }) => ({ metrics: { rows: 12, of: file[0] } }) },
    }
    const { fit, measure } = createFitting(deps as unknown as TrainingDeps)
    const asked = requestOf('m', {
      algo_type: 'PY',
      details: { ...(holdout && { holdout }) },
      more: { algo_param: { script: 'any.py' } },
    })
    const context = {
      key: { schema: 'shop', model: 'm', training: 1 },
      record: { fits: 0 },
      request: decodeTraining(asked),
      journal: { log: () => {}, tell: () => {}, progress: () => {} },
      signal: new AbortController().signal,
    } as unknown as StepContext
    await Promise.all([fit.work(context), measure.work(context)])
    t.is(runs, holdout ? 1 : 2)
    t.like(JSON.parse(String(written.get('metrics'))), {
      rows: 12,
      ...(holdout && { of: 1, rows_learnt: 20, holdout }),
    })
    t.true(written.has('model.onnx'))
  })
}
