import { Refusal } from '../../../base/refusal.ts'
import type { Random } from '../../random.ts'

/** Fills `distances` with the squared distances of all points to one of them. */
export type DistancesTo = (point: number, distances: Float64Array) => void

/**
 * The first centres, as indices of points (k-means++, Arthur and Vassilvitskii, 2007): each is drawn by its squared distance
 * to those before it, and of 2 + ln k candidates the one is taken that leaves the smallest sum.
 */
export function chooseSeeds(count: number, k: number, distancesTo: DistancesTo, random: Random): readonly number[] {
  const first = random.below(count)
  const chosen = [first]
  let nearest = new Float64Array(count)
  let candidate = new Float64Array(count)
  let best = new Float64Array(count)
  distancesTo(first, nearest)
  const candidates = 2 + Math.floor(Math.log(k))

  while (chosen.length < k) {
    const total = nearest.reduce((sum, distance) => sum + distance, 0)
    if (!(total > 0)) {
      throw new Refusal(`k is ${k}, and the data hold only ${chosen.length} distinct rows; choose a k up to that`)
    }
    let [bestPoint, bestSum] = [-1, Infinity]
    for (let draw = 0; draw < candidates; draw++) {
      const point = drawByWeight(nearest, random.uniform() * total)
      distancesTo(point, candidate)
      let sum = 0
      for (let i = 0; i < count; i++) {
        const distance = Math.min(candidate[i] ?? 0, nearest[i] ?? 0)
        candidate[i] = distance
        sum += distance
      }
      if (sum >= bestSum) continue
      bestPoint = point
      bestSum = sum
      ;[best, candidate] = [candidate, best]
    }
    chosen.push(bestPoint)
    ;[nearest, best] = [best, nearest]
  }
  return chosen
}

/** The first index at which the running sum passes `mark`; one of weight 0 is never drawn. */
function drawByWeight(weights: Float64Array, mark: number): number {
  let left = mark
  let last = 0
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] ?? 0
    if (weight <= 0) continue
    last = i
    left -= weight
    if (left < 0) return i
  }
  return last
}
