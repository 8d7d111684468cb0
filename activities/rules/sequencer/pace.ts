/** No other request has its turn meanwhile. */
const turn_ms = 10
const usual_ms = 0.04
const maxGroup = 4_096
/** Measures one turn in `oneOf` of those with at least `minMeasured` events: to read the process's time costs something. */
const minMeasured = 32
const oneOf = 8
/** Changes of the memory that a commit takes at once, in a turn of its own. */
const maxChanges = 4_000
/** The weight of the latest turn in the average time of an event. */
const share = 0.5

const unmeasured = (): void => {}

/** Finds how many events a turn may take together and still be short. */
export function createPace() {
  let each_ms = usual_ms
  let each_changes = 1
  let turns = 0
  return {
    group: (): number =>
      Math.max(1, Math.floor(Math.min(maxGroup, turn_ms / each_ms, maxChanges / Math.max(1, each_changes)))),

    /** Counts the changes of the memory that a turn of `events` events made. */
    changed(events: number, changes: number): void {
      each_changes += share * (changes / events - each_changes)
    },

    /** Begins to measure a turn of `events` events; the caller calls the returned function at the turn's end. */
    measure(events: number): () => void {
      const isDue = events >= Math.min(minMeasured, turn_ms / each_ms / 2) && turns++ % oneOf === 0
      if (!isDue) return unmeasured
      const [began_ms, before] = [performance.now(), process.cpuUsage()]
      return () => {
        const { user, system } = process.cpuUsage(before)
        // A machine that gives the process no time makes no turn cheaper by cutting it short.
        const took_ms = Math.min(performance.now() - began_ms, (user + system) / 1000)
        each_ms += share * (took_ms / events - each_ms)
      }
    },
  }
}
