import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import { type Attributes, type ReadEvent, readMember, readScalar } from '../places.ts'
import { jsonScalar } from '../values.ts'

type Input = ComputedAttribute['inputs'][number]

/** Compiles the reader of an input. Text names an attribute, anything else is a literal. */
export type ReadInput = (input: Input) => ReadEvent

/** Inputs as their columns have them. An attribute that reads its own name reads the posted value, of whatever type that is. */
export function inputReaders(of: Attributes, { name: own }: ComputedAttribute): ReadInput {
  return (input) => {
    if (typeof input !== 'string') return () => input
    const read = readScalar(of, input)
    if (input !== own) return read
    const posted = readMember(own)
    return (event) => read(event) ?? jsonScalar(posted(event))
  }
}

export const readInputs = ({ inputs }: ComputedAttribute, readInput: ReadInput): readonly ReadEvent[] =>
  inputs.map(readInput)
