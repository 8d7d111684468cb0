/** No other request has its turn meanwhile. */
const turn_ms = 10
const usual_ms = 0.04
const maxGroup = 4_096
/** Turns are measured that have so many events, one of so many: the look at the time of the process is not for nothing. */
const minMeasured = 32
const oneOf = 8
/** Changes of the memory that a commit takes at once, in a turn of its own. */
const maxChanges = 4_000
/** The part that the latest turn has in what an event takes. */
const share = 0.5

const unmeasured = (): void => {}

/** So many events are taken together as keep a turn short. */
export function createPace() {
  let each_ms = usual_ms
  let each_changes = 1
  let turns = 0
  return {
    group: (): number =>
      Math.max(1, Math.floor(Math.min(maxGroup, turn_ms / each_ms, maxChanges / Math.max(1, each_changes)))),

    /** A turn of so many events made so many changes of the memory. */
    changed(events: number, changes: number): void {
      each_changes += share * (changes / events - each_changes)
    },

    /** Begins to measure a turn of so many events; what it returns is called at its end. */
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
