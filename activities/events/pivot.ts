import { apartWidths, type Cluster, clustersOf, minCluster } from './clusters.ts'

/** Values that are looked at before the first pivots are chosen among them, and far ones before more are. */
const sampleSize = 15
/** A value is far where it lies this many deviations off; within that, four moments keep 1e-9 and better. */
const farDeviations = 64
/** Values whose middle lies at most this many deviations from zero have their moments about zero. */
const nearZero = 32
/** The max centres; of more, the least recently used one goes. */
const maxCentres = 8
/** Pivots in all, and more with each doubling of the values: each is an entry in the rows of its values. */
const maxPivots = 64
const pivotsByDoubling = 8
/** A centre that took fewer values than this before they moved on is followed by a wider one. */
const shortLife = 30_000

type Centre = { readonly pivot: number; deviation: number; taken: number; last: number }

const near = ({ pivot }: { pivot: number }, value: number): number => Math.abs(value - pivot)

/** Whether sorted values are all the same. */
const isConstant = (values: readonly number[]): boolean => values[0] === values.at(-1)

/**
 * Chooses the pivots of an attribute's moments: zero for values about it, else the medians of the clusters into which the
 * first values fall, so that groups with offsets of their own keep their moments, and a first value far from all others
 * spoils nothing. Until they are chosen, and for single values far off, a value is its own pivot, which is exact and costs
 * an entry in its rows of states. Where values stay far off, a pivot comes where they are. Beyond a bound none comes, and
 * the nearest one takes what is far.
 * The reasons are in docs/adr/0008-moments-about-pivots.md.
 */
export function createPivot(known: number | undefined, chosen: (pivot: number) => void) {
  let centres: Centre[] = []
  let sample: number[] = []
  let seen = 0
  const given = new Set<number>()

  function nearest(value: number): Centre | undefined {
    let found: Centre | undefined
    for (const centre of centres) if (!found || near(centre, value) < near(found, value)) found = centre
    return found
  }

  /** Whether a pivot is there, or may come. */
  function mayGive(pivot: number): boolean {
    if (pivot === 0 || given.has(pivot)) return true
    if (given.size >= maxPivots + pivotsByDoubling * Math.log2(seen)) return false
    given.add(pivot)
    return true
  }

  function add(wanted: number, deviation: number): void {
    const pivot = Math.abs(wanted) <= nearZero * deviation ? 0 : wanted
    const there = centres.find((centre) => centre.pivot === pivot)
    if (there) there.deviation = Math.max(there.deviation, deviation)
    if (there || !mayGive(pivot)) return
    centres.push({ pivot, deviation, taken: 0, last: seen })
    if (centres.length > maxCentres) {
      const oldest = centres.reduce((a, b) => (b.last < a.last ? b : a))
      centres = centres.filter((centre) => centre !== oldest)
    }
  }

  /** The first pivots. The one that a process before this one chose stays where the values still are about it. */
  function begin(clusters: readonly Cluster[]): void {
    for (const { values, median, deviation } of clusters.toSorted((a, b) => b.values.length - a.values.length)) {
      if (values.length < minCluster) continue
      const isKnown = known !== undefined && Math.abs(median - known) <= farDeviations * deviation
      const isMain = centres.length === 0
      add(isKnown ? known : median, deviation)
      const main = centres[0]?.pivot
      if (isMain && main !== undefined && main !== known) chosen(main)
    }
  }

  /** A pivot where far values are close to each other; where they scatter they are none, and the nearest one takes them. */
  function follow(clusters: readonly Cluster[]): void {
    for (const { values, median, deviation, width } of clusters) {
      const beside = nearest(median)
      if (!beside || values.length < minCluster) continue
      const reach = farDeviations * beside.deviation
      // A step between equal values and a centre that scatters itself is no more than the way from one to the other.
      const step = isConstant(values) && reach > 0 ? Math.min(width, reach) : width
      if (near(beside, median) <= apartWidths * step) {
        const furthest = values.reduce((max, value) => Math.max(max, near(beside, value)), 0)
        beside.deviation = Math.max(beside.deviation, (2 * furthest) / farDeviations)
      } else {
        const hasMovedOn = beside.taken < shortLife && near(beside, median) <= 4 * reach
        add(median, Math.max(deviation, hasMovedOn ? 4 * beside.deviation : 0))
      }
    }
  }

  return {
    /** The pivot of this value. */
    of(value: number): number {
      seen++
      const centre = nearest(value)
      if (centre && near(centre, value) <= farDeviations * centre.deviation) {
        centre.taken++
        centre.last = seen
        return centre.pivot
      }
      sample.push(value)
      if (sample.length === sampleSize) {
        const clusters = clustersOf(
          sample,
          centres.map(({ pivot }) => pivot),
        )
        if (centres.length === 0) begin(clusters)
        else follow(clusters)
        sample = []
      }
      return mayGive(value) ? value : (nearest(value)?.pivot ?? 0)
    },
  }
}

export type Pivot = ReturnType<typeof createPivot>
