import { type Client, ClientError } from '../client.ts'
import { type Cell, tableText } from '../table.ts'
import type { Flight } from './flights.ts'
import type { Moments } from './moments.ts'
import type { FlightStatistics } from './one-pass.ts'

const microseconds = (date: string): number => Date.parse(`${date}Z`) * 1000
const quarter = `st >= ${microseconds('2001-01-01T00:00')} and et <= ${microseconds('2001-03-31T23:59')}`
const shownDays = 7

/** A statistic of the time `from` to `to`, in microseconds. */
type Interval<Value> = { readonly from: number; readonly to: number; readonly value: Value }
const dayOf = ({ from }: Interval<unknown>): string => new Date(from / 1000).toISOString().slice(0, 10)

const flightNames = ['date', 'delay', 'distance', 'origin', 'destination'] as const
const momentNames = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'] as const

/** Asks every kind of query and shows the answers; returns the statistics in them. */
export async function tour(client: Client): Promise<FlightStatistics> {
  const show = (title: string, sql: string, names: readonly string[], rows: readonly (readonly Cell[])[]): void =>
    console.log(`\n${title}\n  ${sql}\n\n${tableText(names, rows).replace(/^/gm, '  ')}`)

  /** The statistic of a whole span, which is one row. */
  async function valueOf<Value>(sql: string): Promise<Value> {
    const [row] = await client.rows<Interval<Value>>(sql)
    if (!row) throw new ClientError(`no row answers ${sql}`)
    return row.value
  }

  async function showFlights(title: string, sql: string): Promise<void> {
    const flights = await client.rows<Flight>(sql)
    const cells = flights.map((flight) => flightNames.map((name) => flight[name]))
    show(title, sql, flightNames, cells)
  }

  await showFlights('The newest flights', 'select * from air.flights limit 5')
  await showFlights(
    'Flights out of San Francisco, two hours late or more',
    'select * from air.flights where origin = "SFO" and delay >= 120 limit 5',
  )

  const late = 'select count(*) from air.flights where delay >= 60'
  const [{ count } = { count: 0 }] = await client.rows<{ count: number }>(late)
  show('Flights an hour late or more', late, ['flights'], [[count]])

  const byDay = `select aggr(delay) from air.flights where ${quarter}`
  const days = await client.rows<Interval<Moments>>(byDay)
  show(
    `Delay in minutes by day, the last ${shownDays} of ${days.length} days`,
    byDay,
    ['day', ...momentNames],
    days.slice(0, shownDays).map((day) => [dayOf(day), ...momentNames.map((name) => day.value[name])]),
  )

  const overall = `${byDay} rollup 1`
  const delay = await valueOf<Moments>(overall)
  show('Delay over the quarter', overall, momentNames, [momentNames.map((name) => delay[name])])

  const unique = `select aggr(destination) from air.flights where ${quarter} rollup 1`
  const cnt = await valueOf<number>(unique)
  show('Airports flown to', unique, ['unique destinations'], [[cnt]])

  const delayByDay = new Map(days.map(({ from, value }) => [from, value]))
  return { delay, delayByDay, destinations: cnt }
}
