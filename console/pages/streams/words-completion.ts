/** Completion of a definition in words, from the JSON Schema that the service has for it. */
import { cursor, type Suggestion, type Suggestions } from '../../parts/editor/completion.ts'
import type { Path } from './json-places.ts'
import { alternatives, type Shape, type Shapes, shapesAt } from './shapes.ts'
import { membersIn, type YamlSpot, yamlSpotAt } from './yaml-places.ts'

export type WordsSchema = Shape & { readonly $defs: Shapes }

export function wordsOffered(text: string, at: number, schema: WordsSchema): Suggestions | undefined {
  const spot = yamlSpotAt(text, at)
  if (!spot) return undefined
  const found = shapesAt(schema.$defs, schema, spot.path)
  const values = [...valuesOf(found), ...referred(text, spot)]
  // A word at the beginning of a line may be an item of a list as well.
  const options = spot.kind === 'name' ? [...namesOf(spot, found, schema.$defs), ...values] : values
  return { from: spot.from, options }
}

function namesOf(spot: YamlSpot, found: readonly Shape[], shapes: Shapes): readonly Suggestion[] {
  const members = new Map(found.flatMap(({ properties = {} }) => Object.entries(properties)))
  return [...members]
    .filter(([name]) => name !== 'extra' && !spot.names.includes(name))
    .map(([name, shape]) => ({
      label: name,
      kind: 'attribute',
      detail: shape.description ?? '',
      apply: `${name}:${beginning(alternatives(shapes, shape), shapes, spot)}`,
    }))
}

const hasType = (shapes: readonly Shape[], type: string): boolean =>
  shapes.length > 0 && shapes.every((shape) => [shape.type].flat().includes(type))

/** How a value of these shapes begins: behind its name, or in a line of its own. */
function beginning(found: readonly Shape[], shapes: Shapes, { isInline, indent }: YamlSpot): string {
  const margin = `\n${' '.repeat(indent + 2)}`
  if (hasType(found, 'object')) return isInline ? ` { ${cursor} }` : `${margin}${cursor}`
  if (!hasType(found, 'array')) return ` ${cursor}`
  const items = found.flatMap(({ items: each }) => alternatives(shapes, each))
  return isInline || !hasType(items, 'object') ? ` [${cursor}]` : `${margin}- ${cursor}`
}

/** The values that a shape names, and the examples that it gives where they are words or numbers. */
function valuesOf(found: readonly Shape[]): readonly Suggestion[] {
  const fixed = found.flatMap(({ enum: some = [], const: one, type }) => [
    ...some,
    ...(one === undefined ? [] : [one]),
    ...(type === 'boolean' ? [true, false] : []),
  ])
  const examples = found.flatMap(({ examples: some = [] }) => some.filter((each) => typeof each !== 'object'))
  const such = examples.filter((each) => !fixed.includes(each)).map((each) => offer(each, 'for example'))
  return [...[...new Set(fixed)].map((each) => offer(each, '')), ...such]
}

/** A text that YAML would read as something else is in quotes. */
const offer = (value: unknown, detail: string): Suggestion => {
  const text = String(value)
  const isPlain = typeof value !== 'string' || /^[\w][\w .-]*$/.test(text)
  return { label: text, kind: 'value', detail, apply: isPlain ? text : JSON.stringify(text) }
}

const ofStreams = new Set(['of', 'in', 'first', 'then', 'into', 'inputs'])
const ofAttributes = new Set(['by', 'of', 'from', 'to', 'with', 'take', 'key'])

/** Names that stand elsewhere in the text: its streams, and the attributes of the stream that is written, or of all. */
function referred(text: string, { path }: YamlSpot): readonly Suggestion[] {
  const member = path.findLast((part) => typeof part === 'string')
  if (member === undefined || path.length < 3) return []
  const members = membersIn(text).map((each) => each.path)
  const [top, stream] = path
  const isInStream = top === 'streams'
  const named = (paths: readonly Path[], detail: string): readonly Suggestion[] =>
    [...new Set(paths.map((each) => String(each.at(-1))))].map((label) => ({ label, kind: 'place', detail }))
  const isStreamOf = ofStreams.has(String(member)) && (!isInStream || member === 'into' || member === 'inputs')
  const streams = isStreamOf ? members.filter((each) => each.length === 2 && each[0] === 'streams') : []
  const attributes = ofAttributes.has(String(member))
    ? members.filter(
        ([where, of, kind, ...rest]) =>
          where === 'streams' &&
          (!isInStream || of === stream) &&
          (kind === 'attributes' || kind === 'compute') &&
          rest.length === 1,
      )
    : []
  return [...named(streams, 'stream'), ...named(attributes, 'attribute')]
}
