import { type AlgorithmKind, algorithmColumns } from '../../../sql/graph/index.ts'

/** An algorithm's word as a modifier, in small letters. */
export type AlgorithmName = Lowercase<AlgorithmKind>

/** The property that each algorithm writes, unless a request names another one. */
export const properties: Readonly<Record<AlgorithmName, string>> = {
  degree: 'degree',
  pagerank: 'pagerank',
  components: 'component',
  communities: 'community',
  similarity: 'similar',
}

const kinds: Readonly<Record<AlgorithmName, AlgorithmKind>> = {
  degree: 'DEGREE',
  pagerank: 'PAGERANK',
  components: 'COMPONENTS',
  communities: 'COMMUNITIES',
  similarity: 'SIMILARITY',
}

/** The columns of its rows, the last one the score. */
export const columnsOf = (algorithm: AlgorithmName): readonly string[] => algorithmColumns[kinds[algorithm]]

const isAlgorithm = (word: string): word is AlgorithmName => Object.hasOwn(properties, word)

/** The algorithm of that name, in any case of letters. */
export function findAlgorithm(word: string): AlgorithmName | undefined {
  const name = word.toLowerCase()
  return isAlgorithm(name) ? name : undefined
}
