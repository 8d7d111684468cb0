import type { ComputedAttribute } from '../../../sql/schema/schema.ts'
import type { Event, Read } from './values.ts'

const isObject = (value: unknown): value is Event =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (object: unknown, name: string): unknown =>
  isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined

const readDotted = (name: string): Read => {
  const path = name.split('.')
  return (event) => own(event, name) ?? path.reduce<unknown>(own, event)
}

/** A dotted name is a member of that very name where the event has one, else a path into nested objects. */
export const readMember = (name: string): Read => (name.includes('.') ? readDotted(name) : (event) => own(event, name))

/** Text names an attribute, anything else is a literal. */
export const readInput = (input: ComputedAttribute['inputs'][number]): Read =>
  typeof input === 'string' ? readMember(input) : () => input

export const readInputs = ({ inputs }: ComputedAttribute): readonly Read[] => inputs.map(readInput)
