/** Paths into the payload of a signed webhook, and to its headers. */
import type { Json } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'

/** A member of the payload, step by step, or a header of the request in small letters. */
export type Path = { readonly steps: readonly string[] } | { readonly header: string }

const header = /^header:([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100})$/
const maxLength = 500
const maxSteps = 32

/** The path that a text writes; a text says why it is none. */
export function readPath(text: string): Path | string {
  const [, named] = header.exec(text) ?? []
  if (named !== undefined) return { header: named.toLowerCase() }
  if (text.startsWith('header:')) return 'names no header: write header:X-GitHub-Event'
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`
  const steps = text.split('.')
  if (steps.includes('')) return 'has an empty step: write names with a dot between them, such as data.object.id'
  return steps.length > maxSteps ? `has over ${maxSteps} steps` : { steps }
}

/** The value at a path, undefined where there is none. A step into a list is the place of an item, from 0. */
export function valueAt(payload: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = payload
  for (const step of steps) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(step) ? value[Number(step)] : undefined
    else if (isObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined
    else return undefined
  }
  return value
}
