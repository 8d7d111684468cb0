/** Texts of .proto become types by protobufjs's parser; its code generator has no part in that, so that no text becomes code. */
import type { NamespaceBase, Type } from 'protobufjs'
import { Refusal } from '../../../../base/refusal.ts'

export type ProtoFile = { readonly name: string; readonly text: string }

/** Finds the type at a path of places, by which a message names its own. */
export type TypeAt = (path: readonly number[]) => Type

/** The parser takes its time, and the square of that for numbers that are reserved. */
const maxCharacters = 256 * 1024
const maxReserved = 300

/** The files that Confluent's serializers know without a registry, beside Google's. */
const known = new Map([
  [
    'confluent/type/decimal.proto',
    'syntax = "proto3"; package confluent.type; message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }',
  ],
])

/** `references` are the files that the text imports, each behind those that it imports itself. */
export async function compileProtobuf(text: string, references: readonly ProtoFile[]): Promise<TypeAt> {
  const { common, parse, Root, Type } = await import('protobufjs')
  const texts = [...references.map((file) => file.text), text]
  checkSize(texts.join('\n'))

  const root = new Root()
  const added = new Set(references.map(({ name }) => name))
  function add(file: string): ReturnType<typeof parse> {
    const parsed = parse(file, root, { keepCase: true })
    for (const name of parsed.imports ?? []) {
      if (added.has(name)) continue
      added.add(name)
      const own = known.get(name)
      if (own !== undefined) add(own)
      const nested = common.get(name)?.nested
      if (nested) root.addJSON(nested)
      // Another one has options; where it has types, they are missed below.
    }
    return parsed
  }

  const typesIn = (namespace: NamespaceBase): Type[] =>
    namespace.nestedArray.filter((each): each is Type => each instanceof Type)

  return readable(() => {
    // The types of the file alone: its package may have others, of the files that it imports.
    const alone = new Root()
    const { package: name } = parse(text, alone, { keepCase: true })
    const own = name === undefined ? alone : alone.define(name)
    texts.forEach(add)
    root.resolveAll()
    return (path) => {
      let at: NamespaceBase | undefined = own
      for (const place of path) at = at && typesIn(at)[place]
      if (!(at instanceof Type)) throw new Refusal(`the schema has no message at place ${path.join('.')}`)
      return root.lookupType(at.fullName)
    }
  })
}

function checkSize(text: string): void {
  if (text.length > maxCharacters) throw new Refusal(`the schema and its imports have over ${maxCharacters} characters`)
  let reserved = 0
  for (const [statement] of text.matchAll(/\breserved\b[^;]*/g)) reserved += statement.split(',').length
  if (reserved > maxReserved) throw new Refusal(`the schema reserves over ${maxReserved} numbers or names`)
}

function readable<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Refusal(`the schema cannot be read: ${error.message.slice(0, longestReason)}`)
  }
}

const longestReason = 300
