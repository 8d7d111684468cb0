import { fewestCells, vectorModule } from '../vector-module.ts'
import { type Clusters, distanceTo } from './clusters.ts'
import { noneNearest, type Points } from './points.ts'
import { sweepModule } from './sweep-module.ts'

/** How far the centres moved since the pass before. */
export type Moves = {
  readonly distances: Float64Array
  /** The cluster that moved most, by `greatest`; no other one moved more than `next`. */
  readonly farthest: number
  readonly greatest: number
  readonly next: number
}

/**
 * The points with their labels, -1 at first, and bounds: `upper` of the distance to a point's centre, `lower` of that to
 * every other one.
 */
export type Sweep = {
  readonly labels: Int32Array
  readonly upper: Float64Array
  readonly lower: Float64Array
  /**
   * Loosens the bounds, and finds the nearest centre of points whose label they leave open. Calls `assign` for each with
   * another label, which is to set it. `halves` are half of each centre's distance to the nearest other one.
   */
  readonly pass: (
    clusters: Clusters,
    halves: Float64Array,
    moves: Moves,
    assign: (point: number, cluster: number) => void,
  ) => void
}

/** By WebAssembly, with the same bits, where rows are dense and there is room. */
export function createSweep(points: Points, clusters: number): Sweep {
  const { count, size, values } = points
  const isWorth = values !== undefined && count * size >= fewestCells
  return (isWorth ? vectorSweep(points, values, clusters) : undefined) ?? plainSweep(points)
}

export function plainSweep(points: Points): Sweep {
  const labels = new Int32Array(points.count).fill(-1)
  const upper = new Float64Array(points.count).fill(Infinity)
  const lower = new Float64Array(points.count)
  const found = noneNearest()
  return {
    labels,
    upper,
    lower,
    pass: (clusters, halves, { distances, farthest, greatest, next }, assign) => {
      const { flat, squaredNorms } = clusters
      for (let point = 0; point < points.count; point++) {
        const label = labels[point] ?? -1
        if (label >= 0) {
          const high = (upper[point] ?? 0) + (distances[label] ?? 0)
          const low = (lower[point] ?? 0) - (label === farthest ? next : greatest)
          upper[point] = high
          lower[point] = low
          const safe = Math.max(halves[label] ?? 0, low)
          if (high < safe) continue
          const exact = distanceTo(clusters, points, point, label)
          upper[point] = exact
          if (exact < safe) continue
        }
        points.nearest(point, flat, squaredNorms, found)
        upper[point] = Math.sqrt(found.first)
        lower[point] = Math.sqrt(found.second)
        if (found.cluster !== label) assign(point, found.cluster)
      }
    },
  }
}

type Loosen = (
  first: number,
  last: number,
  upper: number,
  lower: number,
  labels: number,
  halves: number,
  moves: number,
  farthest: number,
  greatest: number,
  next: number,
  list: number,
) => number
type Look = (
  list: number,
  count: number,
  first: number,
  rows: number,
  columns: number,
  centres: number,
  clusters: number,
  upper: number,
  lower: number,
  labels: number,
  halves: number,
  changes: number,
) => number
const open = vectorModule<{ readonly loosen: Loosen; readonly look: Look }>(sweepModule)

/** So many numbers of points are copied at once, and looked at while they are in the processor's cache. */
const blockCells = 16_384

/** Undefined where the process is given no such memory. */
export function vectorSweep({ count, size }: Points, values: Float64Array, clusters: number): Sweep | undefined {
  const block = Math.max(1, Math.min(count, Math.floor(blockCells / Math.max(1, size))))
  let bytes = 0
  const take = (some: number): number => {
    const at = bytes
    bytes += some
    return at
  }
  const [upperAt, lowerAt] = [take(8 * count), take(8 * count)]
  const [rowsAt, centresAt] = [take(8 * block * size), take(8 * clusters * size)]
  const [halvesAt, movesAt] = [take(8 * clusters), take(8 * clusters)]
  const [labelsAt, listAt, changesAt] = [take(4 * count), take(4 * block), take(8 * block)]
  const opened = open(bytes)
  if (opened === undefined) return undefined
  const { buffer, functions } = opened
  const labels = new Int32Array(buffer, labelsAt, count).fill(-1)
  const upper = new Float64Array(buffer, upperAt, count).fill(Infinity)
  const lower = new Float64Array(buffer, lowerAt, count)
  const rows = new Float64Array(buffer, rowsAt, block * size)
  const centres = new Float64Array(buffer, centresAt, clusters * size)
  const ownHalves = new Float64Array(buffer, halvesAt, clusters)
  const ownMoves = new Float64Array(buffer, movesAt, clusters)
  const changes = new Int32Array(buffer, changesAt, 2 * block)
  return {
    labels,
    upper,
    lower,
    pass: ({ flat }, halves, { distances, farthest, greatest, next }, assign) => {
      centres.set(flat)
      ownHalves.set(halves)
      ownMoves.set(distances)
      for (let first = 0; first < count; first += block) {
        const last = Math.min(count, first + block)
        const listed = functions.loosen(
          first,
          last,
          upperAt,
          lowerAt,
          labelsAt,
          halvesAt,
          movesAt,
          farthest,
          greatest,
          next,
          listAt,
        )
        if (listed === 0) continue
        rows.set(values.subarray(first * size, last * size))
        const changed = functions.look(
          listAt,
          listed,
          first,
          rowsAt,
          size,
          centresAt,
          clusters,
          upperAt,
          lowerAt,
          labelsAt,
          halvesAt,
          changesAt,
        )
        for (let at = 0; at < 2 * changed; at += 2) assign(changes[at] ?? 0, changes[at + 1] ?? 0)
      }
    },
  }
}
