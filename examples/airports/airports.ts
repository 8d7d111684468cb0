import { readFileSync } from 'node:fs'

export type Airport = {
  readonly iata: string
  readonly name: string
  readonly city: string
  readonly state: string
  readonly latitude: number
  readonly longitude: number
}

const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const readTable = (): string => file('table.json')
export const readIndex = (): string => file('index.json')

/** The airports of the United States, of vega-datasets: a CSV whose quoted fields may hold commas. */
export function readAirports(): Airport[] {
  const [, ...lines] = file('../../node_modules/vega-datasets/data/airports.csv').trim().split(/\r?\n/)
  return lines.map((line) => {
    const [iata = '', name = '', city = '', state = '', , latitude, longitude] = fieldsOf(line)
    return { iata, name, city, state, latitude: Number(latitude), longitude: Number(longitude) }
  })
}

const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
