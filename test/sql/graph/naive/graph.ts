import type { Random } from '../../../support/random/random.ts'

export type Value = number | string | boolean | readonly unknown[]
export type Properties = Readonly<Record<string, Value>>
export type Node = { readonly label: string; readonly name: string; readonly properties: Properties }
export type Triple = {
  readonly subject: Node
  readonly relation: string
  readonly object: Node
  readonly properties: Properties
  readonly seq: number
}
export type Graph = { readonly nodes: readonly Node[]; readonly triples: readonly Triple[] }

const texts = ['red', 'Rome', 'NULL', '2022-09-14', '20220914', 'it\'s \\ "so"/é', '', '10', '2020-02-30T10:00']
const numbers = [0, 1, 2, -1, 2.5, 10, 100, 1663113600000000]

const someValue = (random: Random): Value =>
  random.pick<() => Value>([
    () => random.pick(texts),
    () => random.pick(numbers),
    () => random.pick(numbers),
    () => random.chance(0.5),
    () => [1, 'a'],
  ])()

/** `n` is a number, `t` a text, `x` anything; each may be missing. */
const someProperties = (random: Random): Properties => ({
  ...(random.chance(0.8) && { n: random.pick(numbers) }),
  ...(random.chance(0.7) && { t: random.pick(texts) }),
  ...(random.chance(0.5) && { x: someValue(random) }),
})

/** Few nodes and many relations: parallel ones, loops, and pairs related both ways. */
export function randomGraph(random: Random): Graph {
  const nodes = ['A:a', 'A:b', 'A:ab', 'B:a', 'B:c', 'C:"q\\'].slice(0, random.whole(2, 6)).map((key): Node => {
    const colon = key.indexOf(':')
    return { label: key.slice(0, colon), name: key.slice(colon + 1), properties: someProperties(random) }
  })
  const triples = Array.from(
    { length: random.chance(0.1) ? 0 : random.whole(3, 14) },
    (_, index): Triple => ({
      subject: random.pick(nodes),
      relation: random.pick(['R', 'R', 'S', "T'"]),
      object: random.pick(nodes),
      properties: someProperties(random),
      seq: 1000 + index,
    }),
  )
  return { nodes, triples }
}
