/** The floor of the questions: plain code over adjacency lists in memory. */
import { isKnows, type Social } from './social.ts'

type Lists = { readonly start: Uint32Array; readonly relation: Uint32Array }

/** The KNOWS relations by one of their ends. */
function listsBy(ends: Uint32Array, people: number): Lists {
  const start = new Uint32Array(people + 1)
  ends.forEach((end, relation) => {
    if (isKnows(relation)) start[end + 1] = (start[end + 1] ?? 0) + 1
  })
  for (let person = 0; person < people; person++) start[person + 1] = (start[person + 1] ?? 0) + (start[person] ?? 0)
  const next = start.slice()
  const relation = new Uint32Array(start[people] ?? 0)
  ends.forEach((end, index) => {
    if (!isKnows(index)) return
    const at = next[end] ?? 0
    relation[at] = index
    next[end] = at + 1
  })
  return { start, relation }
}

export function createFloor(social: Social) {
  const { people, subject, object, weight, age, city } = social
  const leaving = listsBy(subject, people)
  const entering = listsBy(object, people)
  const relationsOf = ({ start, relation }: Lists, person: number): Uint32Array =>
    relation.subarray(start[person], start[person + 1])
  const far = (relation: number): number => object[relation] ?? 0

  return {
    known: (person: number): number[] => Array.from(relationsOf(leaving, person), far),

    knowers: (person: number): number[] =>
      Array.from(relationsOf(entering, person), (relation) => subject[relation] ?? 0),

    /** Walks of two steps, and the people at their ends. */
    twoSteps(person: number): { readonly n: number; readonly u: number } {
      const ends = new Set<number>()
      let n = 0
      for (const first of relationsOf(leaving, person)) {
        for (const second of relationsOf(leaving, far(first))) {
          n++
          ends.add(far(second))
        }
      }
      return { n, u: ends.size }
    },

    /** Walks of three steps from the elderly of a city by people beyond 30, by the city where they end. */
    chain(from: number): ReadonlyMap<number, number> {
      const walks = new Map<number, number>()
      for (let person = 0; person < people; person++) {
        if (city[person] !== from || (age[person] ?? 0) <= 60) continue
        for (const first of relationsOf(leaving, person)) {
          if ((age[far(first)] ?? 0) <= 30) continue
          for (const second of relationsOf(leaving, far(first))) {
            for (const third of relationsOf(leaving, far(second))) {
              const end = city[far(third)] ?? 0
              walks.set(end, (walks.get(end) ?? 0) + 1)
            }
          }
        }
      }
      return walks
    },

    /** Relations on the shortest path, by breadth-first search; undefined where there is none. */
    distance(from: number, to: number): number | undefined {
      const reached = new Uint8Array(people)
      let frontier = [from]
      for (let hops = 1; frontier.length > 0; hops++) {
        const next: number[] = []
        for (const person of frontier) {
          for (const relation of relationsOf(leaving, person)) {
            const end = far(relation)
            if (end === to) return hops
            if (reached[end] === 1) continue
            reached[end] = 1
            next.push(end)
          }
        }
        frontier = next
      }
      return undefined
    },

    /** The weight of the lightest path, by Dijkstra's algorithm over buckets; undefined where there is none. */
    lightest(from: number, to: number): number | undefined {
      const settled = new Uint8Array(people)
      const buckets: number[][] = [[from]]
      for (let total = 0; total < buckets.length; total++) {
        for (const person of buckets[total] ?? []) {
          if (settled[person] === 1) continue
          if (person === to) return total
          settled[person] = 1
          for (const relation of relationsOf(leaving, person)) {
            const end = far(relation)
            const sum = total + (weight[relation] ?? 0)
            if (settled[end] === 1) continue
            const bucket = buckets[sum]
            if (bucket) bucket.push(end)
            else buckets[sum] = [end]
          }
        }
      }
      return undefined
    },

    /** The lightest relation from one person to another; undefined where neither knows the other. */
    weightOf(from: number, to: number): number | undefined {
      const between = [...relationsOf(leaving, from)].filter((relation) => far(relation) === to)
      return between.length > 0 ? Math.min(...between.map((relation) => weight[relation] ?? 0)) : undefined
    },
  }
}

export type Floor = ReturnType<typeof createFloor>
