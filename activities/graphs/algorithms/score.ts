import { communities } from './communities.ts'
import { components } from './components.ts'
import { degrees } from './degree.ts'
import type { AlgorithmName } from './names.ts'
import { pageRanks } from './page-rank.ts'
import type { Related } from './related.ts'
import { similarNodes } from './similarity.ts'

export type ScoreParameters = {
  /** The seed of the random numbers. */
  readonly seed: number
  /** How many similar nodes are written for each. */
  readonly top: number
}

export type Scores = {
  /** The value of node i, as JSON text. */
  readonly values: Iterable<string>
  /** Facts about all nodes together, such as how many components there are. */
  readonly summary: Readonly<Record<string, number>>
}

/** Is called with the share of the computing that is done, from 0 to 1. */
export type Advance = (share: number) => void

const maxNeighbourPairs = 100_000_000

/** The value that an algorithm gives each node. */
export function scoreNodes(
  algorithm: AlgorithmName,
  related: Related,
  { seed, top }: ScoreParameters,
  advance: Advance = () => {},
): Scores {
  switch (algorithm) {
    case 'degree':
      return { values: texts(degrees(related)), summary: {} }
    case 'pagerank':
      return { values: texts(pageRanks(related, advance)), summary: {} }
    case 'components': {
      const { numbers, count } = components(related)
      return { values: texts(numbers), summary: { components: count } }
    }
    case 'communities': {
      const { numbers, count, modularity } = communities(related, seed)
      return { values: texts(numbers), summary: { communities: count, modularity } }
    }
    case 'similarity':
      return { values: similarTexts(related, top, advance), summary: {} }
  }
}

const texts = (numbers: Float64Array | Uint32Array): string[] => Array.from(numbers, String)

function* similarTexts(related: Related, top: number, advance: Advance): Generator<string> {
  let node = 0
  for (const similar of similarNodes(related, maxNeighbourPairs)) {
    advance(node++ / related.nodes.length)
    yield JSON.stringify(
      similar.slice(0, top).map(({ other, similarity }) => ({ ...related.nodes[other], similarity })),
    )
  }
}
