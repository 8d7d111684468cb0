/** Trainings by a service, from the file to the published model with its metrics: memory, and the time of tuning. */
import { join } from 'node:path'
import { createRandom } from '../../learn/random.ts'
import { costExponents, gammaExponents, powersOfTwo } from '../../learn/tuning/grid.ts'
import { createPoints, csvOf } from '../models/data.ts'
import { createModelClient, type ModelClient } from '../models/model-client.ts'
import { watched } from '../models/serving.ts'
import { csv } from '../quality/data-set.ts'
import { realData } from '../quality/real-data.ts'
import { type Figure, megabytes, ratio, seconds, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { openPeer, writePoints } from './peer.ts'

const part = 'costs'
const maxTraining_MB = 2048
const wantedTimes = 1.2
const columns = 10
const words = 50_000

type Place = { readonly folder: string; readonly packages: string }
type Training = { readonly model: string; readonly file: string; readonly algo_type: string } & Readonly<
  Record<string, unknown>
>

export async function trainings({ folder, packages }: Place, size: Size): Promise<Figure[]> {
  const settings = { MAX_TRAINING_MB: String(maxTraining_MB), MAX_BODY_MB: '1024' }
  const service = await startService(join(folder, 'service'), settings)
  try {
    const client = createModelClient(service.base)
    return [
      ...(await measureTuning({ folder, packages }, client, size)),
      ...(await measureMemory(service, client, size)),
    ]
  } finally {
    await service.close()
  }
}

async function train(client: ModelClient, { model, file, algo_type, ...rest }: Training): Promise<void> {
  await client.put(model, 'training.csv', file)
  const { details, ...members } = { details: {}, ...rest }
  const request = {
    'schema-name': 'bench',
    model_name: model,
    algo_type,
    ...members,
    training_details: {
      training_source_type: 'FILE',
      training_source: 'training.csv',
      input_format: 'CSV',
      header: 1,
      ...(algo_type === 'KMEANS' ? {} : { target: 'label', task: 'classify' }),
      ...details,
    },
  }
  await client.ask('POST', '/ml/train', JSON.stringify(request))
  await client.untilDone(`/ml/bench/${model}/status`, 'train_req_state')
}

/** By the clock, since both may use all cores; the service's time has reading, fit and metrics in it. */
async function measureTuning(
  { folder, packages }: Place,
  client: ModelClient,
  { costRows, tuneSpeed, tuneProcesses }: Size,
): Promise<Figure[]> {
  const data = realData(packages).find(({ name }) => name === 'weather')
  if (data === undefined) throw new Error('the weather is gone')
  const rows = data.rows.slice(0, Math.ceil(costRows / 20))
  const labels = [...new Set(rows.map((row) => row.at(-1)))]
  const training = await writePoints(join(folder, 'weather'), {
    columns: data.columns.length,
    values: Float64Array.from(rows.flatMap((row) => row.slice(0, -1).map(Number))),
    classes: Int32Array.from(rows, (row) => labels.indexOf(row.at(-1))),
  })
  const [costs, gammas] = [powersOfTwo(costExponents, tuneSpeed), powersOfTwo(gammaExponents, tuneSpeed)]
  const grid = { costs, gammas, processes: tuneProcesses }
  const peer = openPeer(packages, { kind: 'grid', training, columns: data.columns.length, ...grid })
  const file = csv([[...data.columns.map(({ name }) => name), 'label'], ...rows])
  const asked = { model: 'tuned', file, algo_type: 'SVM', tune_params: 1, tune_budget_s: 3600 }
  const what = `tune SVM, the weather of ${whole(rows.length)} days, ${costs.length * gammas.length} points, 5 folds`
  console.error(`${what} ...`)
  try {
    const own = (await timed(() => train(client, { ...asked, details: { train_speed: tuneSpeed } }))) / 1000
    const other = await peer.work()
    const { tuned_algo_params: tuned } = await client.ask('GET', '/ml/bench/tuned/request')
    const times = own / other.wall
    return [
      {
        part,
        what: `${what}: seconds by the clock until the model serves`,
        weir: `${seconds(own)}, ${accuracyOf(tuned)}`,
        beside: `GridSearchCV of ${tuneProcesses === 1 ? 'one process' : `${tuneProcesses} processes`}: ${seconds(other.wall)}, accuracy ${other.score.toFixed(3)}; ${ratio(times)} x`,
        target: `${wantedTimes} x`,
        isMet: times <= wantedTimes,
      },
    ]
  } finally {
    await peer.close()
  }
}

function accuracyOf(tuned: unknown): string {
  const performance =
    typeof tuned === 'object' && tuned !== null && 'train_perf' in tuned ? tuned.train_perf : undefined
  return `accuracy ${Number(performance).toFixed(3)}`
}

async function measureMemory(service: ServiceProcess, client: ModelClient, { costRows, restSeconds }: Size) {
  const header = `${Array.from({ length: columns }, (_, i) => `x${i}`).join(',')},label`
  const numbers = `${header}\n${csvOf(createPoints(costRows, columns, 1), true)}`
  const withoutLabel = numbers.replaceAll(/,[^,\n]*$/gm, '')
  const size = `${whole(costRows)} x ${columns} numbers`
  const textRows = Math.ceil(costRows / 5)
  const texts = textsOf(textRows)
  const textSize = `${whole(textRows)} x 2 texts of ${whole(words)} words`
  const asked = [
    { what: `TREE, ${size}`, training: { model: 'tree', file: numbers, algo_type: 'TREE' } },
    { what: `LIN, ${size}`, training: { model: 'lin', file: numbers, algo_type: 'LIN' } },
    { what: `KMEANS, ${size}`, training: { model: 'kmeans', file: withoutLabel, algo_type: 'KMEANS' } },
    { what: `LIN, ${textSize}`, training: { model: 'lin_texts', file: texts, algo_type: 'LIN' } },
    { what: `TREE, ${textSize}`, training: { model: 'tree_texts', file: texts, algo_type: 'TREE' } },
  ]
  const figures: Figure[] = []
  for (const { what, training } of asked) {
    console.error(`a training of ${what} ...`)
    await service.rests(restSeconds)
    const before = service.cpuSeconds()
    const began = performance.now()
    const { more } = await watched(service, () => train(client, training))
    const took = (performance.now() - began) / 1000
    figures.push({
      part,
      what: `train ${what}, by default: memory, seconds of a core and by the clock until the model serves`,
      weir: `+${megabytes(more)}, ${seconds(service.cpuSeconds() - before)}, ${seconds(took)}`,
      beside: `a file of ${megabytes(training.file.length / 2 ** 20)}`,
      target: `MAX_TRAINING_MB ${whole(maxTraining_MB)}`,
      isMet: more <= maxTraining_MB,
    })
  }
  return figures
}

/** The class is that of the first word, but for one row in ten. */
function textsOf(rows: number): string {
  const { below, uniform } = createRandom(1)
  const lines = Array.from({ length: rows }, () => {
    const [a, b] = [below(words), below(words)]
    return `w${a},w${b},${uniform().toFixed(4)},${(a % 2 === 0) !== uniform() < 0.1 ? 'yes' : 'no'}`
  })
  return `a,b,n,label\n${lines.join('\n')}\n`
}
