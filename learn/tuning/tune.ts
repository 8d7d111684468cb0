import type { FitWatch } from '../dataset.ts'
import { bestOf, difference, meanLoss, type Outcome, type Point, simplestOf } from './choose.ts'
import type { Hopeless } from './cross-validate.ts'
import type { TrialWatch } from './shared-folds.ts'

/** Tries one candidate; it may give several outcomes, as rounds of boosting do, and none where it is given up. */
export type Trial = (values: Point, watch: TrialWatch, isHopeless: Hopeless) => readonly Outcome[]

export type Search = {
  /** In the order in which they are tried. */
  readonly candidates: readonly Point[]
  readonly trial: Trial
  readonly budget: Budget
}

export type Tuned = {
  /** The simplest outcome within one standard error of the best one; absent where no candidate was tried in time. */
  readonly chosen?: Outcome
  readonly best?: Outcome
  readonly tried: number
  /** How many of them were given up early. */
  readonly abandoned: number
  readonly isOutOfTime: boolean
}

/** The time that a tuning may take. */
export type Budget = { readonly seconds: number; readonly isOver: () => boolean }

export function createBudget(seconds: number, now: () => number = Date.now): Budget {
  const end = now() + seconds * 1000
  return { seconds, isOver: () => now() >= end }
}

/** A trial may take this many times the beats (of equal work) of the costliest one that led until now, and 50 at least. */
const patience = 10
const minBeats = 50
/** A trial that cannot lead any more goes on while it is simpler than the one that leads and may still be as good. */
const hopelessErrors = 2
/** A trial that is no simpler, and takes more than this share of the work of the costliest leader, goes on while it is not behind. */
const costlyShare = 0.5

/** Nothing but the budget depends on the clock. */
export function tune({ candidates, trial, budget }: Search, watch: FitWatch): Tuned {
  const outcomes: Outcome[] = []
  let best: Outcome | undefined
  let costliest = 0
  let tried = 0
  let abandoned = 0
  for (const values of candidates) {
    const limited = limitedTrial({
      budget,
      candidate: tried,
      beats: best === undefined ? Number.POSITIVE_INFINITY : Math.max(minBeats, patience * costliest),
      beat: (fraction) => watch.beat((tried + fraction) / candidates.length),
    })
    const leading = best
    const costly = Math.max(minBeats, costlyShare * costliest)
    const isHopeless: Hopeless = (losses, complexity) =>
      leading !== undefined && isBehind({ losses, complexity }, leading, (share) => limited.beats() > share * costly)
    const found = budget.isOver() ? 'out of time' : limited.run((own) => trial(values, own, isHopeless))
    if (found === 'out of time') return { ...chosenOf(outcomes), tried, abandoned, isOutOfTime: true }
    tried++
    if (found === 'too costly' || found.length === 0) {
      abandoned++
      continue
    }
    outcomes.push(...found)
    const leader = bestOf(best === undefined ? found : [best, ...found])
    if (leader !== best) costliest = Math.max(costliest, limited.beats())
    best = leader
  }
  return { ...chosenOf(outcomes), tried, abandoned, isOutOfTime: false }
}

function chosenOf(outcomes: readonly Outcome[]): Pick<Tuned, 'chosen' | 'best'> {
  const [chosen, best] = [simplestOf(outcomes), bestOf(outcomes)]
  return chosen === undefined || best === undefined ? {} : { chosen, best }
}

/**
 * Losses only grow: a trial that has lost more by now than the best one in all cannot lead. `isCostly` says whether it has
 * taken much work for the share of the rows that it was tried on.
 */
function isBehind(
  { losses, complexity }: Pick<Outcome, 'losses' | 'complexity'>,
  best: Outcome,
  isCostly: (share: number) => boolean,
): boolean {
  const tried = losses.filter((loss) => !Number.isNaN(loss))
  const lost = tried.reduce((sum, loss) => sum + loss, 0) / losses.length
  const cannotLead = lost > meanLoss(best)
  const { mean, error } = difference(losses, best.losses)
  if (complexity < best.complexity) return cannotLead && mean > hopelessErrors * error
  return mean > 0 && (cannotLead || isCostly(tried.length / losses.length))
}

/** Thrown by a beat, to leave a fit that takes too long; never seen outside. */
class Left extends Error {
  readonly why: 'too costly' | 'out of time'
  constructor(why: 'too costly' | 'out of time') {
    super(why)
    this.why = why
  }
}

type Limits = {
  readonly budget: Budget
  readonly candidate?: number
  /** The most beats. */
  readonly beats?: number
  readonly beat: (fraction: number) => void
}

/** Runs work that is left once its budget is over or it has taken too many beats. */
export function limitedTrial({ budget, candidate = 0, beats: max = Number.POSITIVE_INFINITY, beat }: Limits) {
  let beats = 0
  let reached = 0
  const look = (): void => {
    beat(reached)
    if (budget.isOver()) throw new Left('out of time')
  }
  const spend = (more: number): void => {
    beats += more
    if (beats > max) throw new Left('too costly')
  }
  const limited: TrialWatch = {
    candidate,
    log: () => {},
    beat: (fraction) => {
      reached = fraction
      look()
      spend(1)
    },
    look,
    spend,
    left: () => max - beats,
  }
  const run = <Result>(work: (limited: TrialWatch) => Result): Result | Left['why'] => {
    try {
      return work(limited)
    } catch (error) {
      if (error instanceof Left) return error.why
      throw error
    }
  }
  return { run, beats: () => beats }
}
