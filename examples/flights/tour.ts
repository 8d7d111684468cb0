import type { Client, Row } from '../client.ts'
import { type Cell, tableText } from '../table.ts'
import type { Flight } from './flights.ts'
import type { Moments } from './moments.ts'
import type { FlightStatistics } from './one-pass.ts'

const microseconds = (date: string): number => Date.parse(`${date}Z`) * 1000
const quarter = `st >= ${microseconds('2001-01-01T00:00')} and et <= ${microseconds('2001-03-31T23:59')}`
const shownDays = 7

const flightOf = ({ v }: Row): Flight => JSON.parse(String(v))
const momentsOf = ({ v }: Row): Moments => JSON.parse(String(v))
/** The value of a row that `rollup 1` gives. */
const wholeOf = <Value>(rows: readonly Row[]): Value => JSON.parse(String(rows[0]?.v)).aggr_val
const dayOf = ({ k }: Row): string => new Date(Number(k) / 1000).toISOString().slice(0, 10)

const flightNames = ['date', 'delay', 'distance', 'origin', 'destination'] as const
const momentNames = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'] as const

/** Asks every kind of query and shows the answers; returns the statistics in them. */
export async function tour(client: Client): Promise<FlightStatistics> {
  const show = (title: string, sql: string, names: readonly string[], rows: readonly (readonly Cell[])[]): void =>
    console.log(`\n${title}\n  ${sql}\n\n${tableText(names, rows).replace(/^/gm, '  ')}`)

  async function showFlights(title: string, sql: string): Promise<void> {
    const flights = (await client.rows(sql)).map(flightOf)
    const cells = flights.map((flight) => flightNames.map((name) => flight[name]))
    show(title, sql, flightNames, cells)
  }

  await showFlights('The newest flights', 'select * from air.flights limit 5')
  await showFlights(
    'Flights out of San Francisco, two hours late or more',
    'select * from air.flights where origin = "SFO" and delay >= 120 limit 5',
  )

  const late = 'select count(*) from air.flights where delay >= 60'
  show('Flights an hour late or more', late, ['flights'], [[await client.retval(late)]])

  const byDay = `select aggr(delay) from air.flights where ${quarter}`
  const days = await client.rows(byDay)
  show(
    `Delay in minutes by day, the last ${shownDays} of ${days.length} days`,
    byDay,
    ['day', ...momentNames],
    days.slice(0, shownDays).map((row) => [dayOf(row), ...momentNames.map((name) => momentsOf(row)[name])]),
  )

  const overall = `${byDay} rollup 1`
  const delay = wholeOf<Moments>(await client.rows(overall))
  show('Delay over the quarter', overall, momentNames, [momentNames.map((name) => delay[name])])

  const unique = `select aggr(destination) from air.flights where ${quarter} rollup 1`
  const { cnt } = wholeOf<{ cnt: number }>(await client.rows(unique))
  show('Airports flown to', unique, ['unique destinations'], [[cnt]])

  const delayByDay = new Map(days.map((row) => [Number(row.k), momentsOf(row)]))
  return { delay, delayByDay, destinations: cnt }
}
