import { readFileSync } from 'node:fs'
import { type Flight, timeOf } from '../flights/flights.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export const readSchema = (): string => read('schema.yaml')
/** The request to train a model for the weather of a day, by its temperatures, rain and wind. */
export const readWeatherRequest = (): string => read('weather.json')
/** The request to train a model for minutes of delay, by when a flight leaves and how far it goes. */
export const readDelayRequest = (): string => read('delay.json')

export type Day = {
  readonly _pk: number
  readonly precipitation: number
  readonly temp_max: number
  readonly temp_min: number
  readonly wind: number
  /** drizzle, rain, sun, snow or fog. */
  readonly weather: string
}

/** Four years in Seattle: three to learn from, as a CSV file with its header, and the days of the last one. */
export function readYears(): { readonly learnt: string; readonly last: readonly Day[] } {
  const [header = '', ...lines] = read('../../node_modules/vega-datasets/data/seattle-weather.csv').trim().split('\n')
  const isLast = (line: string): boolean => line.startsWith('2015')
  return {
    learnt: `${[header, ...lines.filter((line) => !isLast(line))].join('\n')}\n`,
    last: lines.filter(isLast).map(dayOf),
  }
}

/** Flights as a CSV file with the facts known before they leave, and how late they were. */
export function delaysOf(flights: readonly Flight[]): string {
  const lines = flights.map((flight) => {
    const leaves = new Date(timeOf(flight) / 1000)
    return [leaves.getUTCHours(), leaves.getUTCDay(), flight.distance, flight.delay].join(',')
  })
  return `hour,weekday,distance,delay\n${lines.join('\n')}\n`
}

function dayOf(line: string): Day {
  const [date = '', precipitation, temp_max, temp_min, wind, weather = ''] = line.split(',')
  const [rain, warmest, coldest, gusts] = [precipitation, temp_max, temp_min, wind].map(Number)
  return {
    _pk: Date.parse(date) * 1000,
    precipitation: rain ?? 0,
    temp_max: warmest ?? 0,
    temp_min: coldest ?? 0,
    wind: gusts ?? 0,
    weather: weather.trim(),
  }
}
