import type { Client } from '../client.ts'
import type { Flight } from '../flights/flights.ts'
import { type Cell, tableText } from '../table.ts'
import { ensureModel } from './train.ts'
import { type Day, delaysOf, readDelayRequest, readSchema, readWeatherRequest, readYears } from './weather.ts'

type Guessed = Day & { readonly guess?: string }
type Numbers = Readonly<Record<string, number>>

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Learns the weather of three years, has a stream guess that of the fourth, and learns the delays of flights. */
export async function tourModels(client: Client, flights: readonly Flight[], reset: boolean): Promise<void> {
  if (reset) for (const path of ['/stream/seattle', '/ml/seattle/weather', '/ml/air/delay']) await client.remove(path)
  await showGuesses(client)
  await showDelays(client, flights)
}

async function showGuesses(client: Client): Promise<void> {
  const { learnt, last } = readYears()
  await client.register(readSchema())
  await client.put('/brs/ml_bucket_info/object/weather__seattle__days.csv', learnt)
  const { accuracy, rows } = await ensureModel(client, { schema: 'seattle', model: 'weather' }, readWeatherRequest())
  console.log(
    `\nA model of the weather in Seattle, from three years: right for ${percent(Number(accuracy))} of ${rows} days held out`,
  )

  // The model fills the attribute `guess` of each day of the fourth year.
  if ((await client.count('seattle', 'days')) === 0) {
    await client.postLines(
      '/stream/seattle/days',
      last.map((day) => JSON.stringify(day)),
    )
  }
  const sql = 'select * from seattle.days'
  const days = await client.rows<Guessed>(sql)
  const right = days.filter(({ weather, guess }) => weather === guess).length
  const names = ['temp_max', 'precipitation', 'wind', 'weather', 'guess'] as const
  const cells = days.slice(0, 5).map((day): Cell[] => names.map((name) => day[name] ?? ''))
  show(`The fourth year, guessed as its days came in: right for ${percent(right / days.length)}`, sql, names, cells)
}

async function showDelays(client: Client, flights: readonly Flight[]): Promise<void> {
  await client.put('/brs/ml_bucket_info/object/delay__air__flights.csv', delaysOf(flights))
  const metrics = await ensureModel(client, { schema: 'air', model: 'delay' }, readDelayRequest())
  const { rows, rmse, mae, r2 } = metrics as Numbers
  const names = ['rows held out', 'rmse', 'mae', 'r2'] as const
  show('Minutes of delay by hour, weekday and distance: they say a little of it', 'GET /ml/air/delay/metrics', names, [
    [rows ?? 0, rmse ?? 0, mae ?? 0, r2 ?? 0],
  ])
  const data = JSON.stringify({ hour: 19, weekday: 5, distance: 2704 })
  const line = { 'schema-name': 'air', model_name: 'delay', data_type: 2, input_format: 'JSON', data }
  const { predict_labels } = await client.post('/ml/pred/2', JSON.stringify(line))
  show(
    'Boston to San Francisco, Friday at seven in the evening',
    `POST /ml/pred/2 ${data}`,
    ['minutes'],
    [[Number(predict_labels)]],
  )
}

const show = (title: string, how: string, names: readonly string[], rows: readonly (readonly Cell[])[]): void =>
  console.log(`\n${title}\n  ${how}\n\n${tableText(names, rows).replace(/^/gm, '  ')}`)
