import type { Event, Json } from '../../base/json.ts'
import { quoted } from '../../base/quoted.ts'
import { suggest } from '../../base/suggest.ts'
import type { Attribute, Limits, Stream } from '../../sql/schema/schema.ts'
import { readMember } from './places.ts'
import { columnValues, type Scalar, shown } from './values.ts'

/** Why an event is refused that has values of the declared types: an entry for each of its members that is at fault. */
export type CheckLimits = (event: Event) => string[]

/** An event may have thousands of members that are not declared. */
const maxProblems = 100
/** The search for a similar name goes through all declared ones: at most this many searches an event. */
const maxAdvice = 5

export type Limited = Attribute & { readonly limits: Limits }

export const limitedAttributes = ({ attributes }: Stream): Limited[] =>
  attributes.flatMap(({ limits, ...attribute }) => (limits ? [{ ...attribute, limits }] : []))

/** Whether a value of the attribute's type is one of those that are allowed. */
export function compileAllowed({ type, limits: { values, min, max } }: Limited): (value: Json) => boolean {
  if (type === 'OBJECT') return () => true
  const valueOf: (value: Json) => Scalar | undefined = columnValues[type]
  const allowed = values && new Set(values.map(valueOf))
  return (sent) => {
    const value = valueOf(sent)
    if (allowed && !allowed.has(value)) return false
    if (typeof value !== 'number' && typeof value !== 'bigint') return true
    return (min === undefined || value >= min) && (max === undefined || value <= max)
  }
}

const maxShown = 10

function allowedBy({ values, min, max }: Limits): string {
  if (values) {
    const rest = values.length > maxShown ? ` and ${values.length - maxShown} more` : ''
    const listed = values.slice(0, maxShown).map((value) => (typeof value === 'string' ? quoted(value) : `${value}`))
    return values.length === 1 ? `${listed[0]}` : `one of ${listed.join(', ')}${rest}`
  }
  if (min === undefined) return `${max} at most`
  return max === undefined ? `${min} or more` : `${min} to ${max}`
}

function compileLimit(stream: Stream, attribute: Limited): (event: Event) => string | undefined {
  const { name, type, limits } = attribute
  const read = readMember(name)
  const isAllowed = compileAllowed(attribute)
  const isOfType = (value: Json): boolean => type === 'OBJECT' || columnValues[type](value) !== undefined
  const computed = stream.computed.find((each) => each.name === name)
  const origin = computed ? `; it is computed by ${computed.operation} of ${computed.inputs.join(', ')}` : ''
  return (event) => {
    const value = read(event) ?? null
    if (value === null) return limits.required ? `${name}: is required and missing${origin}` : undefined
    // One of another type is reported as such.
    if (!isOfType(value) || isAllowed(value)) return undefined
    return `${name}: expected ${allowedBy(limits)}, got ${shown(value)}${origin}`
  }
}

/** The declared members of an OBJECT by name, with theirs; an OBJECT that declares none may have any. */
type Declared = Map<string, Declared>

function declaredMembers({ attributes }: Stream): Declared {
  const root: Declared = new Map()
  for (const { name } of attributes) {
    let members = root
    for (const step of name.split('.')) {
      const within: Declared = members.get(step) ?? new Map()
      members.set(step, within)
      members = within
    }
  }
  return root
}

/** Members that every event may have. */
const ours = new Set(['_pk', '_v', '_id'])

function compileStrict(stream: Stream): CheckLimits {
  const root = declaredMembers(stream)
  return (event) => {
    const problems: string[] = []
    let more = 0

    function look(value: Json, declared: Declared, path: string): void {
      if (Array.isArray(value)) for (const each of value) look(each, declared, path)
      else if (value !== null && typeof value === 'object') {
        for (const name of Object.keys(value)) {
          const within = declared.get(name)
          if (within === undefined) {
            if (path !== '' || !ours.has(name)) report(name, declared, path)
          } else if (within.size > 0) look(value[name] ?? null, within, `${path}${name}.`)
        }
      }
    }

    function report(name: string, declared: Declared, path: string): void {
      if (problems.length === maxProblems) {
        more++
        return
      }
      const meant = problems.length < maxAdvice ? suggest(name, [...declared.keys()]) : undefined
      const advice = meant === undefined ? '' : `; did you mean ${path}${meant}?`
      problems.push(
        `${path}${quoted(name).slice(1, -1)}: is not declared, and stream ${stream.name} is strict${advice}`,
      )
    }

    look(event, root, '')
    return more > 0 ? [...problems, `and ${more} more`] : problems
  }
}

/** Undefined for streams that take any event whose values have the declared types. */
export function compileLimits(stream: Stream): CheckLimits | undefined {
  const limits = limitedAttributes(stream).map((attribute) => compileLimit(stream, attribute))
  const strict = stream.strict ? compileStrict(stream) : undefined
  if (limits.length === 0 && strict === undefined) return undefined
  return (event) => [...limits.flatMap((limit) => limit(event) ?? []), ...(strict?.(event) ?? [])]
}
