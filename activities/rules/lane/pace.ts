/** No other request has its turn meanwhile. */
const turn_ms = 10
const usual_ms = 0.04
const maxGroup = 4_096
/** Turns are measured that have so many events, one of so many: the look at the time of the process is not for nothing. */
const minMeasured = 32
const oneOf = 8
/** The part that the latest turn has in the time that an event takes. */
const share = 0.5

const unmeasured = (): void => {}

/** So many events are taken together as keep a turn short. */
export function createPace() {
  let each_ms = usual_ms
  let turns = 0
  return {
    group: (): number => Math.max(1, Math.min(maxGroup, Math.floor(turn_ms / each_ms))),

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
