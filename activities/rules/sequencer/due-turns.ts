import { Refusal } from '../../../base/refusal.ts'
import type { TurnLog, TurnPlace } from '../../../infra/log/port.ts'
import type { RuleMemory } from '../../../infra/memory/memory.ts'
import type { Outside } from '../references/outside.ts'
import type { Due } from '../step/absence.ts'
import type { Step } from '../step/compile.ts'
import { TooMuchMade, type Turn } from './event-turn.ts'
import { createLineGatherer } from './lines.ts'
import { isPassing } from './work.ts'

export type DueTurnsDeps = {
  readonly log: TurnLog
  readonly memory: RuleMemory
  readonly step: Step
  readonly isOn: (stream: string) => boolean
  /** Puts the row of a wait, and what rules make of that, into a turn. */
  readonly settle: (stream: string, due: Due, turn: Turn) => void
  readonly onUnfit: (stream: string, error: unknown) => void
  /** A turn was committed; `late_s` is the lateness of its latest row. */
  readonly onDue: (late_s: number) => void
}

/**
 * Turns of no event: the rows of events that waited for another one until their time was over. A turn takes some of them, in the order
 * of their times, and is kept as that of an event is: its rows and the end of the waits are one commit.
 */
export function createDueTurns({ log, memory, step, isOn, settle, onUnfit, onDue }: DueTurnsDeps) {
  /** Waits whose rows would make too many others, or at which rules fail. */
  const refused = new Set<string>()

  const dueNow = (most: number): Due[] => step.due(memory.state, memory.waits, isOn, most)

  /** Returns false where the turn has to be taken again without one of the rows. */
  function settleAll(dues: readonly Due[], turn: Turn): boolean {
    for (const due of dues) {
      try {
        if (refused.delete(due.name)) due.settle(memory.state)
        else settle(due.stream, due, turn)
      } catch (error) {
        if (isPassing(error)) throw error
        // A wait at which rules fail would keep all others from their end, too.
        refused.add(due.name)
        onUnfit(due.stream, error instanceof TooMuchMade ? new Refusal([error.message]) : error)
        return false
      }
    }
    return true
  }

  return {
    isDue: (): boolean => step.awaits && dueNow(1).length > 0,

    /**
     * Takes a turn of at most `most` waits that are over; undefined where it has to be taken again. Resolves to the number of
     * waits.
     */
    attempt(outside: Outside, most: number, place?: TurnPlace): Promise<number> | undefined {
      const turn: Turn = { lines: createLineGatherer('', 0), outside, refused: new Map() }
      let dues: readonly Due[] = []
      memory.begin()
      try {
        dues = dueNow(most)
        if (!settleAll(dues, turn) || outside.lacks()) {
          memory.undo()
          return undefined
        }
      } catch (error) {
        memory.undo()
        throw error
      }
      if (dues.length === 0) {
        memory.undo()
        return Promise.resolve(0)
      }
      return log.commit({ lines: turn.lines.others(), ...memory.changes(), ...(place && { place }) }).then(() => {
        onDue(Math.max(...dues.map(({ late_us }) => late_us)) / 1e6)
        return dues.length
      })
    },
  }
}
