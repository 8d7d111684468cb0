import { createHash } from 'node:crypto'

/** Changes where spaces hold other values of an event than before: those begin with nothing. */
const layout = 3

/**
 * The name of a space: of the stream whose events it holds, and of the definition that says what it holds. So a definition
 * that an edit changes begins with nothing, and the same one goes on with what it has.
 */
export function spaceOf(schema: string, stream: string, kind: string, definition: unknown): string {
  const space = `${spacesOf(schema, stream)}${kind}:${hashOf([layout, definition])}`
  named?.add(space)
  return space
}

const ofAhead = 'ahead'

/** Holds no event: the number that it has is that of events whose time is ahead of that at which they came. */
export const aheadSpace = (schema: string, stream: string): string => spaceOf(schema, stream, ofAhead, {})

export const isAheadSpace = (space: string): boolean => space.includes(`/${ofAhead}:`)

const ofWaits = 'wait'

/** The space of the events of a stream that wait for something, each a value with the time of its event. */
export const waitSpace = (schema: string, stream: string, definition: unknown): string =>
  spaceOf(schema, stream, ofWaits, definition)

export const isWaitSpace = (space: string): boolean => space.includes(`/${ofWaits}:`)

export const hashOf = (definition: unknown): string =>
  createHash('sha256').update(written(definition)).digest('base64url').slice(0, 12)

let named: Set<string> | undefined

/** The spaces of rules that `compile` compiles. */
export function spacesIn(compile: () => void): ReadonlySet<string> {
  const before = named
  const spaces = new Set<string>()
  named = spaces
  try {
    compile()
  } finally {
    named = before
  }
  return spaces
}

/** All spaces that hold events of the stream begin so. */
export const spacesOf = (schema: string, stream: string): string => `${schema}.${stream}/`

/** One text for one value, in whatever order its members come. Members that are undefined are as good as absent. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${written(each)}`).join(',')}}`
}
