import { readFileSync } from 'node:fs'

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

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export const readSchema = (): string => read('schema.yaml')

/** 20,000 real flights in the United States in the first quarter of 2001, oldest first. */
export const readFlights = (): Flight[] => JSON.parse(read('../../node_modules/vega-datasets/data/flights-20k.json'))

/** Microseconds since 1970. As an event's `_pk` it puts the flight at its own time, not at that of its loading. */
export const timeOf = ({ date }: Flight): number => Date.parse(`${date.replaceAll('/', '-').replace(' ', 'T')}Z`) * 1000
