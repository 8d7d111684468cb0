import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Flight = {
  /** `2001/01/01 00:47`, taken as UTC. */
  readonly date: string
  /** Minutes. */
  readonly delay: number
  /** Miles. */
  readonly distance: number
  readonly origin: string
  readonly destination: string
}

/** Microseconds since 1970: with it as `_pk` a flight stands at its own time, not at that of its loading. */
export const timeOf = ({ date }: Flight): number => Date.parse(`${date.replaceAll('/', '-').replace(' ', 'T')}Z`) * 1000

/** 20,000 flights in the United States in the first quarter of 2001, oldest first. */
export function readFlights(): Flight[] {
  const file = createRequire(import.meta.url).resolve('vega-datasets/data/flights-20k.json')
  const flights: Flight[] = JSON.parse(readFileSync(file, 'utf8'))
  return flights
}

export const readSchema = (): string => readFileSync(new URL('schema.json', import.meta.url), 'utf8')
