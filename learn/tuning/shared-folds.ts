import type { FitWatch } from '../dataset.ts'
import type { Judged } from './cross-validate.ts'

/**
 * Memory in which two threads share the folds of candidates: the one that chooses, and one that helps it. Neither hears
 * messages while it fits, so all they say is in here.
 *
 * A fold's result hangs on its candidate alone and not on the thread or the time. The chooser takes them in the order of one
 * thread, and its choice is the same; the helper works ahead of it, on the first folds of the candidates that come next
 * before all, since these are always tried.
 */
export type SharedFolds = {
  readonly words: Int32Array
  /** By candidate in the ring the losses by row; behind them by fold the measure. */
  readonly numbers: Float64Array
}

/** Tries one fold of a candidate, as each thread does it. */
export type TryFold = (candidate: number, fold: number, watch: FitWatch) => Judged

/** The size of a tuning: each candidate has the same folds, which hold these rows out. */
export type FoldsShape = { readonly candidates: number; readonly held: readonly Int32Array[] }

/** A helper may be this many candidates ahead of the chooser; so many are lost where the time is over. */
const ahead = 4
const ring = ahead + 1
const maxFolds = 5
/** Tunings that share their folds try 2,000 rows, and a few more where classes are many. */
const maxSharedRows = 4_096

/** Places of words: where the chooser is, the most beats of a candidate, and how the two stand. */
const [candidateAt, foldAt, beatsAt, leavingAt, helpedAt, changesAt, marksAt] = [0, 1, 2, 3, 4, 5, 6]
/** Behind the marks, by fold in the ring: the beats that its fit took. */
const tookAt = marksAt + ring * maxFolds

/** A fold's mark is its candidate times 8 and one of these; any other mark says that it is free. */
const [chooses, helps, done, tooCostly] = [0, 1, 2, 3]

const maxWord = 2 ** 31 - 1
const longestWait_ms = 50

export function openSharedFolds(): SharedFolds {
  const words = new Int32Array(new SharedArrayBuffer(4 * (tookAt + ring * maxFolds)))
  words.fill(-1, marksAt)
  Atomics.store(words, beatsAt, maxWord)
  return { words, numbers: new Float64Array(new SharedArrayBuffer(8 * ring * (maxSharedRows + maxFolds))) }
}

/** The helper is to leave soon, for another training or since nothing is left to help with. */
export function askToLeave(shared: SharedFolds): void {
  Atomics.store(shared.words, leavingAt, 1)
  changed(shared)
}

/** Lets a helper in; called before it begins. */
export const letHelp = ({ words }: SharedFolds): void => void Atomics.store(words, leavingAt, 0)

/** Ends the help: the tuning itself computes the folds that its helper had begun. */
export function endHelp(shared: SharedFolds): void {
  Atomics.store(shared.words, helpedAt, 0)
  changed(shared)
}

export const mustLeave = ({ words }: SharedFolds): boolean => Atomics.load(words, leavingAt) === 1

function changed({ words }: SharedFolds): void {
  Atomics.add(words, changesAt, 1)
  Atomics.notify(words, changesAt)
}

const placeOf = (candidate: number, fold: number): number => (candidate % ring) * maxFolds + fold
const markOf = (candidate: number, how: number): number => 8 * candidate + how

const fits = ({ held }: FoldsShape): boolean =>
  held.length <= maxFolds && held.reduce((sum, { length }) => sum + length, 0) <= maxSharedRows

/** Takes a fold that is free. */
function take({ words }: SharedFolds, candidate: number, fold: number, how: number): boolean {
  const place = marksAt + placeOf(candidate, fold)
  const mark = Atomics.load(words, place)
  if (mark >> 3 === candidate) return false
  return Atomics.compareExchange(words, place, mark, markOf(candidate, how)) === mark
}

/** Takes the next fold to try while the chooser is busy, the surest to be needed first. */
function takeAhead(
  shared: SharedFolds,
  { candidates, held }: FoldsShape,
  how: number,
): readonly [number, number] | undefined {
  const { words } = shared
  const now = Atomics.load(words, candidateAt)
  const last = Math.min(now + ahead, candidates - 1)
  for (let candidate = now + 1; candidate <= last; candidate++)
    if (take(shared, candidate, 0, how)) return [candidate, 0]
  for (let candidate = now; candidate <= last; candidate++) {
    for (let fold = candidate === now ? Atomics.load(words, foldAt) : 1; fold < held.length; fold++)
      if (take(shared, candidate, fold, how)) return [candidate, fold]
  }
  return undefined
}

/** Thrown by a beat, to leave a fold; never seen outside. */
class Passed extends Error {
  readonly how: 'too costly' | 'of no use'
  constructor(how: 'too costly' | 'of no use') {
    super(how)
    this.how = how
  }
}

type Tried = { readonly judged?: Judged; readonly beats: number }

/** Tries a fold ahead of its turn; without `judged` it took more beats than a candidate may. Undefined: it is of no use any more. */
function tryAhead(
  { words }: SharedFolds,
  [candidate, fold]: readonly [number, number],
  tryFold: TryFold,
  isOver: () => boolean,
): Tried | undefined {
  let beats = 0
  const beat = (): void => {
    beats++
    if (isOver() || candidate < Atomics.load(words, candidateAt)) throw new Passed('of no use')
    if (beats > Atomics.load(words, beatsAt)) throw new Passed('too costly')
  }
  try {
    return { judged: tryFold(candidate, fold, { log: () => {}, beat }), beats }
  } catch (error) {
    if (!(error instanceof Passed)) throw error
    return error.how === 'too costly' ? { beats } : undefined
  }
}

/** Helps until it is asked to leave; `idle` passes the time while there is nothing to help with. */
export function helpFolds(
  shared: SharedFolds,
  shape: FoldsShape,
  tryFold: TryFold,
  idle = (changes: number): void => void Atomics.wait(shared.words, changesAt, changes, longestWait_ms),
): void {
  const { words } = shared
  if (!fits(shape)) return
  const isOver = (): boolean => mustLeave(shared)
  // A helper that ended amid a fold has left its mark.
  for (let place = marksAt; place < tookAt; place++) {
    const mark = Atomics.load(words, place)
    if (mark >= 0 && mark % 8 === helps) Atomics.compareExchange(words, place, mark, -1)
  }
  Atomics.store(words, helpedAt, 1)
  while (!isOver()) {
    const changes = Atomics.load(words, changesAt)
    const unit = takeAhead(shared, shape, helps)
    if (unit === undefined) idle(changes)
    else helpWith(shared, shape, unit, tryFold, isOver)
  }
  endHelp(shared)
}

function helpWith(
  shared: SharedFolds,
  { held }: FoldsShape,
  unit: readonly [number, number],
  tryFold: TryFold,
  isOver: () => boolean,
): void {
  const { words, numbers } = shared
  const [candidate, fold] = unit
  const place = placeOf(candidate, fold)
  let how: number | undefined
  try {
    const tried = tryAhead(shared, unit, tryFold, isOver)
    if (tried === undefined) return
    how = tried.judged === undefined ? tooCostly : done
    Atomics.store(words, tookAt + place, tried.beats)
    if (tried.judged === undefined) return
    const { losses, measure } = tried.judged
    const from = (candidate % ring) * (maxSharedRows + maxFolds)
    for (const [at, row] of (held[fold] ?? []).entries()) numbers[from + row] = losses[at] ?? Number.NaN
    numbers[from + maxSharedRows + fold] = measure
  } catch {
    // The chooser meets the fault itself, if it comes to this fold.
  } finally {
    Atomics.compareExchange(
      words,
      marksAt + place,
      markOf(candidate, helps),
      how === undefined ? -1 : markOf(candidate, how),
    )
    changed(shared)
  }
}

/** How the chooser hears of a trial, also of work that is done elsewhere. */
export type TrialWatch = FitWatch & {
  /** The candidate's place among all. */
  readonly candidate: number
  /** The work that a fold took, as if it had been done here. */
  readonly spend: (beats: number) => void
  /** How many beats the candidate may still take. */
  readonly left: () => number
  /** Tells that it goes on, and throws once the time is over. */
  readonly look: () => void
}

export type ChooseFold = (fold: number, watch: TrialWatch) => Judged

/** The folds of a tuning, in the order in which its chooser asks for them. */
export function chooseFolds(shared: SharedFolds | undefined, shape: FoldsShape, tryFold: TryFold): ChooseFold {
  if (shared === undefined || !fits(shape)) return (fold, watch) => tryFold(watch.candidate, fold, watch)
  return choosing(shared, shape, tryFold)
}

function choosing(shared: SharedFolds, shape: FoldsShape, tryFold: TryFold): ChooseFold {
  const { words, numbers } = shared
  const own = new Map<number, Tried>()

  function helped(candidate: number, fold: number): Tried | undefined {
    const place = placeOf(candidate, fold)
    const mark = Atomics.load(words, marksAt + place)
    const beats = Atomics.load(words, tookAt + place)
    if (mark === markOf(candidate, tooCostly)) return { beats }
    if (mark !== markOf(candidate, done)) return undefined
    const from = (candidate % ring) * (maxSharedRows + maxFolds)
    const losses = Float64Array.from(shape.held[fold] ?? [], (row) => numbers[from + row] ?? Number.NaN)
    return { judged: { losses, measure: numbers[from + maxSharedRows + fold] ?? Number.NaN }, beats }
  }

  /** Undefined: it is to be tried here. */
  function spendTried(tried: Tried, { spend, left }: TrialWatch): Judged | undefined {
    // It may have been left by a bound that has risen since.
    if (tried.judged === undefined && tried.beats <= left()) return undefined
    spend(tried.beats)
    return tried.judged
  }

  /** A fault of a fold that may never be come to is met there. */
  function tryOwnAhead(unit: readonly [number, number], { look }: TrialWatch): void {
    let isStopped = false
    const goesOn = (): boolean => {
      isStopped = true
      look()
      isStopped = false
      return false
    }
    try {
      const tried = tryAhead(shared, unit, tryFold, goesOn)
      if (tried !== undefined) own.set(maxFolds * unit[0] + unit[1], tried)
    } catch (error) {
      if (isStopped) throw error
    }
  }

  return (fold, watch) => {
    const { candidate, look } = watch
    if (fold === 0) {
      for (const key of own.keys()) if (key < maxFolds * candidate) own.delete(key)
      Atomics.store(words, beatsAt, Math.min(maxWord, Math.ceil(watch.left())))
    }
    Atomics.store(words, foldAt, fold + 1)
    Atomics.store(words, candidateAt, candidate)
    changed(shared)
    for (;;) {
      const changes = Atomics.load(words, changesAt)
      const tried = own.get(maxFolds * candidate + fold) ?? helped(candidate, fold)
      if (tried !== undefined) return spendTried(tried, watch) ?? tryFold(candidate, fold, watch)
      const isHelpers = Atomics.load(words, marksAt + placeOf(candidate, fold)) === markOf(candidate, helps)
      if (!isHelpers || Atomics.load(words, helpedAt) === 0) {
        // A helper that has just gone may have finished it or given it back: then no other thread tries it.
        const last = helped(candidate, fold)
        if (last !== undefined) continue
        Atomics.store(words, marksAt + placeOf(candidate, fold), markOf(candidate, chooses))
        return tryFold(candidate, fold, watch)
      }
      const unit = takeAhead(shared, shape, chooses)
      if (unit === undefined) Atomics.wait(words, changesAt, changes, longestWait_ms)
      else tryOwnAhead(unit, watch)
      look()
    }
  }
}
