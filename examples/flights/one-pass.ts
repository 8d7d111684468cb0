import { type Flight, timeOf } from './flights.ts'
import { createMoments, type Moments } from './moments.ts'

const day_us = 86_400_000_000

export type FlightStatistics = {
  readonly delay: Moments
  /** By the start of the day in microseconds. */
  readonly delayByDay: ReadonlyMap<number, Moments>
  readonly destinations: number
}

/** The statistics that the service is asked for, computed in one pass over the file. */
export function onePass(flights: readonly Flight[]): FlightStatistics {
  const all = createMoments()
  const days = new Map<number, ReturnType<typeof createMoments>>()
  const destinations = new Set<string>()
  for (const flight of flights) {
    const time = timeOf(flight)
    const start = time - (time % day_us)
    const day = days.get(start) ?? createMoments()
    days.set(start, day)
    day.add(flight.delay)
    all.add(flight.delay)
    destinations.add(flight.destination)
  }
  const delayByDay = new Map([...days].map(([start, day]) => [start, day.value()]))
  return { delay: all.value(), delayByDay, destinations: destinations.size }
}

/** The differences of the two; sums run in another order, so fractions agree in nine digits. */
export function differences(found: FlightStatistics, wanted: FlightStatistics): string[] {
  const days = new Set([...found.delayByDay.keys(), ...wanted.delayByDay.keys()])
  return [
    ...differing('delay over the quarter', found.delay, wanted.delay),
    ...[...days].flatMap((start) =>
      differing(
        `delay on ${new Date(start / 1000).toISOString().slice(0, 10)}`,
        found.delayByDay.get(start),
        wanted.delayByDay.get(start),
      ),
    ),
    ...(found.destinations === wanted.destinations
      ? []
      : [`unique destinations: ${found.destinations}, the file has ${wanted.destinations}`]),
  ]
}

function differing(what: string, found: Moments | undefined, wanted: Moments | undefined): string[] {
  if (!found || !wanted) return [`${what}: ${found ? 'only the service has' : 'the service lacks'} that day`]
  const names = Object.keys(wanted) as (keyof Moments)[]
  return names
    .filter((name) => Math.abs(found[name] - wanted[name]) > 1e-9 * Math.max(1, Math.abs(wanted[name])))
    .map((name) => `${what}, ${name}: ${found[name]}, the file has ${wanted[name]}`)
}
