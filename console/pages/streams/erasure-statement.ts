/** The condition by which a person's events are found: one attribute that has one value. */
import type { WireAttribute, WireStream } from './wire-schema.ts'

const asWritten = new Set(['LONG', 'DOUBLE', 'BOOL'])

/** Attributes that can name a person: texts before the others, the key before all. */
export const namingIn = ({ attributes }: WireStream): readonly WireAttribute[] =>
  attributes
    .filter(({ name, type }) => type !== 'OBJECT' && !name.includes('.'))
    .toSorted((one, other) => weightOf(one) - weightOf(other))

const weightOf = ({ type, says }: WireAttribute): number => (says.includes('the key') ? 0 : type === 'STRING' ? 1 : 2)

export function conditionOf({ name, type }: Pick<WireAttribute, 'name' | 'type'>, value: string): string {
  const written = asWritten.has(type) ? value.trim() : `"${value.replace(/["\\]/g, '\\$&')}"`
  return `${name} = ${written}`
}
