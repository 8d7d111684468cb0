import { algorithmColumns } from '../algorithm.ts'
import type { AlgorithmKind, AlgorithmModifier, GraphQuery, Modifier, ModifierKind } from '../ast.ts'
import type { Cursor } from './cursor.ts'

const kinds = [
  'SYMM',
  'ASYMM',
  'DISTINCT',
  'UNIQUE',
  'UNIQUE_IN_CONTEXT',
  'UNIQUE_SELECT',
] as const satisfies readonly ModifierKind[]

const isAlgorithm = (word: string): word is AlgorithmKind => Object.hasOwn(algorithmColumns, word)
const words = [...kinds, ...Object.keys(algorithmColumns).filter(isAlgorithm)]

/** `{DISTINCT}`, `{UNIQUE, 10}` or `{PAGERANK, 10}` behind a query's token. */
export function parseModifier(cursor: Cursor): Pick<GraphQuery, 'modifier' | 'algorithm'> {
  if (!cursor.accept('{')) return {}
  const at = cursor.position
  const kind = words.find((name) => cursor.acceptKeyword(name))
  if (kind === undefined) throw cursor.unexpected(words)
  const most = cursor.accept(',') ? { most: cursor.expectCount('how many rows there are at most') } : {}
  cursor.expect('}')
  if (isAlgorithm(kind)) return { algorithm: { kind, ...most, at } satisfies AlgorithmModifier }
  return { modifier: { kind, ...most, at } satisfies Modifier }
}
