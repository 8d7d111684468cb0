/** The questions to the graph, and the answers that it has to give. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import type { Floor } from './floor.ts'
import type { Social } from './social.ts'

export type Question = {
  readonly what: string
  /** p50 in milliseconds, where there is one to reach. */
  readonly most_ms?: number
  /** Whether it is asked just after the load, too. */
  readonly isAskedTwice?: true
  /** A share of `--asks` that is enough. */
  readonly share: number
  /** Question number `i`. */
  readonly text: (i: number) => string
  /** The same of the lists in memory; undefined where they are not asked. */
  readonly floor: (i: number) => unknown
  /** Throws where the answer is not that of the lists. */
  readonly check: (answer: Answer, i: number) => void
}

export type Answer = {
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly triple?: readonly Readonly<Record<string, unknown>>[]
  readonly nodes?: readonly { readonly name: string }[]
  readonly path_count?: number
}

const sorted = (values: readonly unknown[]): readonly unknown[] => values.map(String).sort()

export function questions(social: Social, floor: Floor): readonly Question[] {
  const { people, relations } = social
  const person = (i: number): number => (i * 7_919 + 13) % people
  const other = (i: number): number => (i * 104_729 + 4_242) % people
  const city = (i: number): number => i % 100
  const pathOf = (answer: Answer): readonly number[] => (answer.nodes ?? []).map(({ name }) => Number(name.slice(1)))
  return [
    {
      what: '1 hop: whom a person knows',
      most_ms: 10,
      share: 1,
      text: (i) => `s=>(Person:p${person(i)})-[KNOWS]->(@b Person:*); RETURN b.name`,
      floor: (i) => floor.known(person(i)),
      check: ({ rows = [] }, i) =>
        deepStrictEqual(sorted(rows.map(({ name }) => name)), sorted(floor.known(person(i)).map((end) => `p${end}`))),
    },
    {
      what: '1 hop: their ages',
      share: 1,
      text: (i) => `s=>(Person:p${person(i)})-[KNOWS]->(@b Person:*); RETURN b.age`,
      floor: (i) => floor.known(person(i)).map((end) => social.age[end]),
      check: ({ rows = [] }, i) =>
        deepStrictEqual(
          sorted(rows.map(({ age }) => age)),
          sorted(floor.known(person(i)).map((end) => social.age[end])),
        ),
    },
    {
      what: '1 hop against the arrow, as triples',
      most_ms: 10,
      share: 1,
      text: (i) => `s=>(Person:p${person(i)})<-[KNOWS]-(*)`,
      floor: (i) => floor.knowers(person(i)),
      check: ({ triple = [] }, i) =>
        deepStrictEqual(
          sorted(triple.map(({ sub }) => sub)),
          sorted(floor.knowers(person(i)).map((end) => `Person:p${end}`)),
        ),
    },
    {
      what: '2 hops: walks, and people at their ends',
      isAskedTwice: true,
      most_ms: 50,
      share: 1,
      text: (i) => `s=>(Person:p${person(i)})-[KNOWS]->(*)-[KNOWS]->(@c *); RETURN COUNT(*) AS n, UCOUNT(c) AS u`,
      floor: (i) => floor.twoSteps(person(i)),
      check: ({ rows = [] }, i) => deepStrictEqual(rows, [floor.twoSteps(person(i))]),
    },
    {
      what: '3 hops, filtered at two nodes, walks by city',
      isAskedTwice: true,
      most_ms: 300,
      share: 0.2,
      text: (i) =>
        `s=>(@a Person:*{city = c${city(i)} AND age > 60})-[KNOWS]->(@b Person:*{age > 30})-[KNOWS]->(@c Person:*)-[KNOWS]->(@d Person:*); RETURN d.city, COUNT(*) AS n SORT_DESC n`,
      floor: (i) => floor.chain(city(i)),
      check: ({ rows = [] }, i) =>
        deepStrictEqual(
          new Map(rows.map(({ city: name, n }) => [Number(String(name).slice(1)), n])),
          new Map(floor.chain(city(i))),
        ),
    },
    {
      what: 'shortest path',
      most_ms: 200,
      share: 0.5,
      text: (i) => `s=>(Person:p${person(i)})-[#SHORT_PATH KNOWS]->(Person:p${other(i)})`,
      floor: (i) => floor.distance(person(i), other(i)),
      check: (answer, i) => {
        const path = pathOf(answer)
        strictEqual(path.length > 0 ? path.length - 1 : undefined, floor.distance(person(i), other(i)))
        for (let at = 1; at < path.length; at++) floor.known(path[at - 1] ?? -1).includes(path[at] ?? -1) || fail(path)
      },
    },
    {
      what: 'lightest path, by weight',
      share: 0.05,
      text: (i) => `s=>(Person:p${person(i)})-[#SHORT_PATH KNOWS {weight="weight"}]->(Person:p${other(i)})`,
      floor: (i) => floor.lightest(person(i), other(i)),
      check: (answer, i) => {
        const path = pathOf(answer)
        const weights = path.slice(1).map((end, at) => floor.weightOf(path[at] ?? -1, end) ?? fail(path))
        const total = path.length > 0 ? weights.reduce((sum, weight) => sum + weight, 0) : undefined
        strictEqual(total, floor.lightest(person(i), other(i)))
      },
    },
    {
      what: `RETURN * LIMIT 10 over all ${relations.toLocaleString('en')} relations`,
      share: 0.2,
      text: () => 's=>(*)-[*]->(*); RETURN * LIMIT 10',
      floor: () => undefined,
      check: ({ triple = [] }) => strictEqual(triple.length, 10),
    },
  ]
}

function fail(path: readonly number[]): never {
  throw new Error(`no such path: ${path.join(' ')}`)
}
