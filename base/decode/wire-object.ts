import type { z } from 'zod'
import { quoted } from '../quoted.ts'
import { suggest } from '../suggest.ts'
import type { Problems } from './problems.ts'

type Wire = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === '' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

const steps = (path: readonly PropertyKey[]) =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')

/** A name in a request of something that may come into being later. */
type Reference = { readonly kind: string; readonly path: string }

/** Gathers what the sender of a good request may not have meant. */
export type Heard = {
  /** A member that an object has and the decoder does not know. */
  unknown(path: string, name: string, known: readonly string[]): void
  /** The rest of a sentence whose subject is the member at `path`. */
  add(path: string, says: string): void
  refer(reference: Reference): void
}

/** For a definition that is read again from the catalogue: its notes were told at its registration. */
export const unheard: Heard = { unknown() {}, add() {}, refer() {} }

/**
 * An object on the wire that is read member by member: one that is wrong is reported under its path and read as
 * undefined, so that the others are still checked. `null` is as good as absent.
 */
export type WireObject = {
  readonly path: string
  /** Whether a member is there and not empty. */
  has(member: string): boolean
  take<Value>(member: string, type: z.ZodType<Value>): Value | undefined
  /** The objects in an array; none where the member is absent. */
  objects(member: string, max?: number): readonly WireObject[]
  /** The same, where one object may stand in the place of an array. */
  list(member: string): readonly WireObject[]
  /** The object in a member; an absent one is a problem. */
  object(member: string): WireObject | undefined
  /** The same, where the member's value had to be worked out. */
  open(value: unknown, member: string): WireObject | undefined
  /** An empty member: the problem is of the whole object. */
  fail(member: string, sentence: string | (() => string)): void
  /** The members that the object may have; others are noted. */
  only(known: Readonly<Record<string, unknown>>): void
  /** Says of a member, as the rest of a sentence, what its sender may not have meant. */
  note(member: string, says: string): void
  /** Says that a member names something that may come into being later. */
  refer(member: string, reference: (path: string) => Reference): void
}

export const createWireObject = (wire: Wire, path: string, problems: Problems, notes: Heard = unheard): WireObject => {
  const unknown: string[] = []
  const at = (member: string) => (path === '' || member === '' ? path + member : `${path}.${member}`)
  const read = (member: string) => (Object.hasOwn(wire, member) ? (wire[member] ?? undefined) : undefined)
  const fail: WireObject['fail'] = (member, sentence) => problems.add(at(member), sentence)
  const open: WireObject['open'] = (value, member) => {
    if (isObject(value)) return createWireObject(value, at(member), problems, notes)
    fail(member, value === undefined ? 'is missing' : 'must be an object')
    return undefined
  }

  const objects: WireObject['objects'] = (member, max = 1000) => {
    const value = read(member)
    if (value === undefined) return []
    if (Array.isArray(value) && value.length > max) {
      fail(member, `has ${value.length} items, over the ${max} there may be`)
      return []
    }
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, index) => open(item, `${member}[${index}]`) ?? [])
    }
    fail(member, 'must be an array')
    return []
  }

  /** A member that is missing under its name may be there under a misspelt one. */
  const adviceOn = (member: string): string => {
    const meant = read(member) === undefined ? suggest(member, unknown) : undefined
    return meant === undefined ? '' : `; did you misspell it as ${quoted(meant)}?`
  }

  return {
    path,
    fail,
    open,
    objects,
    list(member) {
      const value = read(member)
      if (isEmpty(value)) return []
      return isObject(value) ? [createWireObject(value, at(member), problems, notes)] : objects(member)
    },
    refer: (member, reference) => notes.refer(reference(at(member))),
    note: (member, says) => notes.add(at(member), says),
    only(known) {
      for (const name of Object.keys(wire)) {
        if (Object.hasOwn(known, name)) continue
        notes.unknown(path, name, Object.keys(known))
        unknown.push(name)
      }
    },
    has: (member) => !isEmpty(read(member)),
    object: (member) => open(read(member), member),

    take(member, type) {
      const { success, data, error } = type.safeParse(read(member))
      if (success) return data
      for (const issue of error.issues) {
        fail(
          `${member}${steps(issue.path)}`,
          () => `${issue.message}${issue.path.length === 0 ? adviceOn(member) : ''}`,
        )
      }
      return undefined
    },
  }
}
