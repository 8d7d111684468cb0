import test from 'ava'
import type { FitWatch } from '../../../learn/dataset.ts'
import type { Outcome } from '../../../learn/tuning/choose.ts'
import type { Judged } from '../../../learn/tuning/cross-validate.ts'
import {
  askToLeave,
  chooseFolds,
  endHelp,
  type FoldsShape,
  helpFolds,
  letHelp,
  openSharedFolds,
  type SharedFolds,
  type TryFold,
} from '../../../learn/tuning/shared-folds.ts'
import { createBudget, type Trial, tune } from '../../../learn/tuning/tune.ts'
import { createRandom, type Random } from '../../support/random/random.ts'

const watch: FitWatch = { beat: () => {}, log: () => {} }
const rows = 40
const held = Array.from({ length: 5 }, (_, fold) => Int32Array.from({ length: 8 }, (_, i) => 5 * i + fold))

/** Candidates of random losses, some of which take far more beats than others. */
function madeFolds(random: Random, candidates: number) {
  const tables = Array.from({ length: candidates }, () => {
    const level = random.chance(0.5) ? 0.3 : 0.7
    return {
      complexity: random.whole(1, 6),
      losses: Float64Array.from({ length: rows }, () => Number(random.chance(level))),
      work: held.map(() => (random.chance(0.2) ? random.whole(100, 900) : random.whole(1, 40))),
    }
  })
  const tryFold: TryFold = (candidate, fold, { beat }): Judged => {
    const { losses, work } = tables[candidate] ?? { losses: [], work: [] }
    for (let i = 0; i < (work[fold] ?? 0); i++) beat(i / (work[fold] ?? 1))
    const own = Float64Array.from(held[fold] ?? [], (row) => losses[row] ?? 0)
    return { losses: own, measure: own.reduce((sum, loss) => sum + loss, 0) / 8 }
  }
  return {
    shape: { candidates, held },
    tryFold,
    complexityOf: (candidate: number) => tables[candidate]?.complexity ?? 0,
  }
}
type Made = ReturnType<typeof madeFolds>

/** Chooses among the candidates; `tryFold` is what the thread that chooses tries itself. */
function choose(
  { shape, complexityOf }: Pick<Made, 'shape' | 'complexityOf'>,
  tryFold: TryFold,
  shared?: SharedFolds,
  { budget = createBudget(600), beat = watch.beat } = {},
) {
  const chooseFold = chooseFolds(shared, shape, tryFold)
  const trial: Trial = ({ at = 0 }, own, isHopeless) => {
    const losses = new Float64Array(rows).fill(Number.NaN)
    const folds: number[] = []
    for (const [fold, places] of held.entries()) {
      const judged = chooseFold(fold, own)
      for (const [i, row] of places.entries()) losses[row] = judged.losses[i] ?? Number.NaN
      folds.push(judged.measure)
      if (fold < 4 && isHopeless(losses, complexityOf(at))) return []
    }
    const outcome: Outcome = { values: { at }, losses, folds, performance: 0, complexity: complexityOf(at) }
    return [outcome]
  }
  const candidates = Array.from({ length: shape.candidates }, (_, at) => ({ at }))
  return tune({ candidates, trial, budget }, { ...watch, beat })
}

/** A helper that leaves after so many folds, in the middle of the last one where it `breaksOff`. */
function help(shared: SharedFolds, shape: FoldsShape, tryFold: TryFold, folds: number, breaksOff = false): number {
  let tried = 0
  letHelp(shared)
  const tryOne: TryFold = (candidate, fold, own) => {
    tried++
    if (tried === folds && breaksOff) {
      askToLeave(shared)
      own.beat(0)
    }
    try {
      return tryFold(candidate, fold, own)
    } finally {
      if (tried === folds) askToLeave(shared)
    }
  }
  helpFolds(shared, shape, tryOne, () => askToLeave(shared))
  return tried
}

test('whatever a helper does ahead and whenever it leaves, all is chosen and given up as by one thread', (t) => {
  let [alone, shared, given] = [0, 0, 0]
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed)
    const made = madeFolds(random, random.whole(1, 25))
    const expected = choose(made, (...unit) => {
      alone++
      return made.tryFold(...unit)
    })
    const folds = openSharedFolds()
    const found = choose(
      made,
      (...unit) => {
        shared++
        // While the chooser tries a fold, the helper tries some.
        if (random.chance(0.6) && !isHelping) {
          isHelping = true
          help(folds, made.shape, made.tryFold, random.whole(1, 6), random.chance(0.3))
          isHelping = false
        }
        return made.tryFold(...unit)
      },
      folds,
    )
    t.deepEqual(found, expected, `seed ${seed}`)
    given += expected.abandoned
  }
  t.true(given > 100)
  t.true(shared < 0.7 * alone, `${shared} of ${alone} folds`)
})
let isHelping = false

test('the first folds of candidates that come next are helped with before the others', (t) => {
  const made = madeFolds(createRandom(1), 20)
  const tried: string[] = []
  help(
    openSharedFolds(),
    made.shape,
    (candidate, fold) => {
      tried.push(`${candidate}.${fold}`)
      return { losses: new Float64Array(8), measure: 0 }
    },
    7,
  )
  t.deepEqual(tried, ['1.0', '2.0', '3.0', '4.0', '0.0', '0.1', '0.2'])
})

/** The chooser works while a helper is within a fold, of the second candidate. */
function whileHelped(made: Made, shared: SharedFolds, work: () => void): void {
  letHelp(shared)
  helpFolds(shared, made.shape, (candidate, fold, own) => {
    askToLeave(shared)
    work()
    return made.tryFold(candidate, fold, own)
  })
}

test('the time of a tuning ends while it waits for a fold of its helper', (t) => {
  const made = madeFolds(createRandom(2), 2)
  const shared = openSharedFolds()
  whileHelped(made, shared, () => {
    const started = performance.now()
    const tuned = choose(made, made.tryFold, shared, { budget: createBudget(0.3) })
    t.like(tuned, { tried: 1, isOutOfTime: true })
    t.true(performance.now() - started < 5_000)
  })
})

test('a tuning that is cancelled while it waits for a fold of its helper ends', (t) => {
  const made = madeFolds(createRandom(2), 2)
  const shared = openSharedFolds()
  whileHelped(made, shared, () => {
    const end = performance.now() + 200
    const beat = () => {
      if (performance.now() > end) throw new Error('cancelled')
    }
    t.throws(() => choose(made, made.tryFold, shared, { beat }), { message: 'cancelled' })
  })
})

test('the folds of a helper that ended in the middle of one are tried by the chooser, or by the next helper', (t) => {
  for (const isFollowed of [false, true]) {
    const made = madeFolds(createRandom(3), 12)
    const expected = choose(made, made.tryFold)
    const shared = openSharedFolds()
    whileHelped(made, shared, () => {
      endHelp(shared)
      let followed = 0
      const found = choose(
        made,
        (...unit) => {
          if (isFollowed && followed === 0) followed = help(shared, made.shape, made.tryFold, 3)
          return made.tryFold(...unit)
        },
        shared,
      )
      t.deepEqual(found, expected)
      t.is(followed, isFollowed ? 3 : 0)
    })
  }
})

test('a fault of a fold ahead is met when its turn comes, and not where its candidate is never tried', (t) => {
  const made = madeFolds(createRandom(4), 6)
  const broken: TryFold = (candidate, fold, own) => {
    if (candidate === 3) throw new Error('broken')
    return made.tryFold(candidate, fold, own)
  }
  const shared = openSharedFolds()
  const asked: number[] = []
  t.throws(
    () =>
      choose(
        made,
        (candidate, fold, own) => {
          asked.push(candidate)
          if (asked.length === 1) help(shared, made.shape, broken, 6)
          return broken(candidate, fold, own)
        },
        shared,
      ),
    { message: 'broken' },
  )
  t.is(asked.at(-1), 3)
})

test('a fault of a fold that the chooser tries while it waits is kept for its turn', (t) => {
  const made = madeFolds(createRandom(2), 4)
  const shared = openSharedFolds()
  const broken: TryFold = (candidate, fold, own) => {
    if (candidate === 2) throw new Error('broken')
    return made.tryFold(candidate, fold, own)
  }
  whileHelped(made, shared, () => {
    t.like(choose(made, broken, shared, { budget: createBudget(0.3) }), { tried: 1, isOutOfTime: true })
  })
})

test('a fold that a helper left for its beats is tried anew where a costlier candidate has led since', (t) => {
  const work = [1, 9, 80]
  const tryFold: TryFold = (candidate, _, { beat }) => {
    for (let i = 0; i < (work[candidate] ?? 0); i++) beat(0)
    return { losses: new Float64Array(8).fill(1 - candidate / 2), measure: candidate }
  }
  const made = { shape: { candidates: 3, held }, complexityOf: () => 1 }
  const expected = choose(made, tryFold)
  t.like(expected, { tried: 3, abandoned: 0, chosen: { values: { at: 2 } } })
  const shared = openSharedFolds()
  let isHelped = false
  const found = choose(
    made,
    (candidate, fold, own) => {
      if (candidate === 1 && !isHelped) {
        isHelped = true
        t.is(help(shared, made.shape, tryFold, 1), 1)
      }
      return tryFold(candidate, fold, own)
    },
    shared,
  )
  t.deepEqual(found, expected)
})
