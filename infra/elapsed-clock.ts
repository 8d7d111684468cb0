/** The wall clock is followed as long as it is not set: what it goes faster or slower by comes out of this much. */
const maxDrift_us = 500_000
/** The part of the time that passes by which the wall clock may go faster or slower for ever. */
const drift = 0.01

export type ElapsedClockDeps = {
  readonly wall_us?: () => number
  /** Time that has passed since some moment, whatever is set. */
  readonly passed_us?: () => number
  /** A process in which nothing had its turn for longer stood still, and so did what would have come to it: that time counts as so much. */
  readonly maxStep_us?: number
}

/**
 * The time by which silence is measured: that of the wall clock at the start, then as much more as has passed. A wall clock that
 * is set, jumps or stands still changes nothing; one that goes a little faster or slower is followed. With `maxStep_us` it is to be
 * asked more often than that.
 */
export function createElapsedClock({
  wall_us = () => Date.now() * 1000,
  passed_us = () => performance.now() * 1000,
  maxStep_us = Number.POSITIVE_INFINITY,
}: ElapsedClockDeps = {}): () => number {
  let [wall, passed] = [wall_us(), passed_us()]
  let now = wall
  let room = maxDrift_us
  return () => {
    const [byWall, byPassed] = [wall_us() - wall, passed_us() - passed]
    wall += byWall
    passed += byPassed
    room = Math.min(maxDrift_us, room + drift * Math.max(0, byPassed))
    const drifted = Math.abs(byWall - byPassed)
    const isSet = drifted > room
    if (!isSet) room -= drifted
    now += Math.min(maxStep_us, Math.max(0, isSet ? byPassed : byWall))
    return now
  }
}
