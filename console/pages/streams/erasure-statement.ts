import { quoted } from '../../parts/quoted.ts'
import type { WireAttribute, WireStream } from './wire-schema.ts'

/** Attributes that can name a person: the key before texts, and these before the others. */
export const namingIn = ({ attributes }: WireStream): readonly WireAttribute[] =>
  attributes
    .filter(({ name, type }) => type !== 'OBJECT' && !name.includes('.'))
    .toSorted((one, other) => weightOf(one) - weightOf(other))

const weightOf = ({ type, says }: WireAttribute): number => (says.includes('the key') ? 0 : type === 'STRING' ? 1 : 2)

/** Values of types that a statement has without quotes: whatever else is typed would be a part of the condition. */
const unquoted: Readonly<Record<string, RegExp>> = {
  LONG: /^-?\d{1,19}$/,
  DOUBLE: /^-?\d{1,30}(?:\.\d{1,30})?$/,
  BOOL: /^(?:true|false)$/,
}

/** The condition by which a person's events are found: an attribute has a value. Undefined where it cannot have that value. */
export function conditionOf({ name, type }: Pick<WireAttribute, 'name' | 'type'>, value: string): string | undefined {
  const form = unquoted[type]
  if (form === undefined) return value === '' ? undefined : `${name} = ${quoted(value)}`
  const written = value.trim()
  return form.test(written) ? `${name} = ${written}` : undefined
}
