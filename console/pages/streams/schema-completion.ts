/** Completion at a place of a schema, from the service's own document of its calls. */
import { cursor, type Suggestion, type Suggestions } from '../../parts/editor/completion.ts'
import { placesIn, type Spot, spotAt } from './json-places.ts'
import { schemaWords } from './schema-words.ts'
import { alternatives, type Shape, type Shapes, shapesAt } from './shapes.ts'

export function offersAt(text: string, at: number, shapes: Shapes, root: Shape | undefined): Suggestions {
  const spot = spotAt(text, at)
  const found = shapesAt(shapes, root, spot.path)
  return { from: spot.from, options: spot.kind === 'name' ? namesOf(spot, found, shapes) : valuesOf(text, spot, found) }
}

/** Members that older clients send: they are offered last. */
const withoutEffect = new Set(['kysz', 'sidx', 'ridx'])

function namesOf(spot: Spot, found: readonly Shape[], shapes: Shapes): readonly Suggestion[] {
  const members = new Map<string, { readonly shape: Shape; readonly isRequired: boolean }>()
  for (const { properties = {}, required = [] } of found) {
    for (const [name, shape] of Object.entries(properties)) {
      if (!members.has(name)) members.set(name, { shape, isRequired: required.includes(name) })
    }
  }
  return [...members]
    .filter(([name]) => !spot.names.includes(name))
    .toSorted(([a], [b]) => Number(withoutEffect.has(a)) - Number(withoutEffect.has(b)))
    .map(([name, { shape, isRequired }]) => ({
      label: name,
      kind: 'attribute',
      apply: `"${name}": ${beginning(alternatives(shapes, shape))}`,
      detail: `${schemaWords[name] ?? shape.description ?? ''}${isRequired ? ' (required)' : ''}`,
    }))
}

/** How a value of these shapes begins. */
function beginning(found: readonly Shape[]): string {
  const types = new Set(found.flatMap(({ type = [] }) => type))
  if (types.has('array')) return `[${cursor}]`
  if (types.has('object')) return `{${cursor}}`
  if (types.has('string') && !found.some((each) => each.enum)) return `"${cursor}"`
  return cursor
}

function valuesOf(text: string, spot: Spot, found: readonly Shape[]): readonly Suggestion[] {
  const fixed = found.flatMap(({ enum: some = [], const: one }) => [...some, ...(one === undefined ? [] : [one])])
  const named = fixed.some((each) => typeof each === 'string')
    ? fixed.filter((each) => typeof each === 'string')
    : fixed
  const values = [...new Set(named)].map((value) => offerOf(value, ''))
  return [...values, ...referred(text, spot).map(([value, detail]) => offerOf(value, detail))]
}

const offerOf = (value: unknown, detail: string): Suggestion => ({
  label: String(value),
  kind: 'value',
  apply: JSON.stringify(value),
  detail,
})

const ofStreams = new Set(['inpt', 'rstm', 'ostm'])
const ofAttributes = new Set(
  'iatr ratr gpat fatr sub obj sub_props obj_props rel_props props cond args key uid'.split(' '),
)

/** Names that stand elsewhere in the text: those of its streams, and of the attributes of the stream that is written. */
function referred(text: string, { path }: Spot): readonly (readonly [name: string, detail: string])[] {
  const member = path.findLast((part) => typeof part === 'string')
  if (member === undefined || (!ofStreams.has(member) && !ofAttributes.has(member))) return []
  const wanted = ofStreams.has(member)
    ? /^streams\[\d+\]\.name$/
    : new RegExp(`^streams\\[${path[1]}\\]\\.(?:attr|catr)\\[\\d+\\]\\.name$`)
  const detail = ofStreams.has(member) ? 'stream' : 'attribute'
  const found = [...placesIn(text)].flatMap(([at, { from, to }]) => {
    const name = wanted.test(at) ? /:\s*"([^"]+)"$/.exec(text.slice(from, to))?.[1] : undefined
    return name === undefined ? [] : [name]
  })
  return [...new Set(found)].map((name) => [name, detail] as const)
}
