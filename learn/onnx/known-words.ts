// A graph keeps the words of an attribute that has a place for each as the keys of an ai.onnx.ml LabelEncoder; field
// numbers are those of onnx.proto.

import type { ModelDescription } from '../description.ts'
import type { KnownWords } from '../formats/format.ts'
import { fieldsOf } from './metadata.ts'

const utf8 = new TextDecoder()

/** By attribute, the words that a model's training saw; undefined for numbers, and where words are hashed or cut apart. */
export function knownWords(model: Uint8Array, { attributes, outside, algorithm }: ModelDescription): KnownWords {
  const words = attributes.filter(({ kind }) => kind === 'word')
  if (words.length === 0 || outside.length > 0 || algorithm === 'PY') return attributes.map(() => undefined)
  // `addEncoding` begins with one lookup an attribute of words, in their order.
  const found = lookups(model, words.length)
  if (found.length < words.length) return attributes.map(() => undefined)
  const sets = found.map((keys) => (keys.length === 1 && keys[0] === '' ? undefined : new Set(keys)))
  return attributes.map(({ kind }) => (kind === 'word' ? sets.shift() : undefined))
}

/** The keys of the first lookups of texts. */
function lookups(model: Uint8Array, count: number): string[][] {
  const found: string[][] = []
  for (const graph of parts(model, 7)) {
    for (const node of parts(graph, 1)) {
      if (found.length === count) return found
      const keys = keysOf(node)
      if (keys !== undefined) found.push(keys)
    }
  }
  return found
}

function keysOf(node: Uint8Array): string[] | undefined {
  for (const attribute of parts(node, 5)) {
    const [name] = parts(attribute, 1)
    if (utf8.decode(name) === 'keys_strings') return Array.from(parts(attribute, 9), (key) => utf8.decode(key))
  }
  return undefined
}

function* parts(message: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const { field, bytes } of fieldsOf(message)) if (field === wanted && bytes !== undefined) yield bytes
}
