import { codeTable, decodeCode, encodeCode } from '../base/code-table.ts'
import { Refusal } from '../base/refusal.ts'

/** In `attr_list`: the types of a schema, and those of `attr_type`. */
const typeCodes = codeTable(
  'type',
  [
    [1, 'NUM'],
    [2, 'STR'],
    [3, 'HYBRID'],
    [5, 'STRING'],
    [9, 'LONG'],
    [11, 'DOUBLE'],
    [12, 'BOOL'],
  ],
  { HYB: 'HYBRID', BOOLEAN: 'BOOL' },
)

/** The kind of value that a column holds; a word is any text, taken as one category. */
export type Kind = 'number' | 'word'

/** An attribute of the training data. Without a `kind` its cells decide, all of them. */
export type Column = {
  readonly name: string
  readonly position: number
  readonly kind?: Kind
  /** ISO dates are taken as numbers: microseconds since 1970. */
  readonly dates?: true
  /** Some of its numbers were written as true or false in the training data. */
  readonly booleans?: true
}

export type TargetColumn = Column & {
  /**
   * The task that the declared type of the target asks for: STRING and BOOL are classes, DOUBLE numbers, and `whole`
   * numbers (LONG) classes where they have few values.
   */
  readonly task?: 'classes' | 'numbers' | 'whole'
  /** Not in `attr_list`: only its place is known, which serves CSV, SVM and TEXT. */
  readonly unnamed?: true
  /** How many of the columns `attr_list` names before it; absent where it is unnamed. */
  readonly before?: number
}

/** Where the attributes of a model stand in a file or a line. `columns` are without the target, in the order of `attr_list`. */
export type Layout = {
  readonly columns: readonly Column[]
  readonly target?: TargetColumn
  /** One character between CSV cells. */
  readonly separator: string
  /** Spellings of a missing number, in place of the usual ones. */
  readonly missing?: readonly string[]
}

/** An entry of a training request's `attr_list`. */
export type AttributeEntry = {
  readonly name: string
  readonly position: number
  readonly type?: string | number | undefined
  /** False: rows are held out by it, and nothing is learnt from it. */
  readonly learn?: boolean | undefined
}

export type LayoutRequest = {
  readonly attributes: readonly AttributeEntry[]
  readonly attributeKind: Kind | 'hybrid'
  /** Absent where there is nothing to learn from: clusters, one-class. */
  readonly targetIndex?: number | undefined
  readonly separator?: string | undefined
  readonly missing?: readonly string[] | undefined
  /** Nothing is learnt from but the target's own values. */
  readonly isSeries?: boolean | undefined
}

/** Throws a `Refusal` that names every fault of the list. */
export function createLayout(request: LayoutRequest): Layout {
  const { attributes, attributeKind, targetIndex, separator = ',', missing, isSeries = false } = request
  const problems = repeated(attributes)
  const typed = attributes.map(({ name, position, type, learn }) => {
    if (learn === false && position === targetIndex) problems.push(`attribute '${name}' is the target, with learn 0`)
    if (type === undefined) return { name, position, ...(attributeKind === 'hybrid' ? {} : { kind: attributeKind }) }
    const code = decodeCode(typeCodes, type)
    if ('problem' in code) problems.push(`attribute '${name}': ${code.problem}`)
    return { name, position, ...('name' in code ? types[code.name] : {}) }
  })
  if (targetIndex !== undefined && (!Number.isInteger(targetIndex) || targetIndex < 0)) {
    problems.push(`target_idx is ${targetIndex}; it must be the position of an attribute, from 0`)
  }
  const aside = new Set(attributes.flatMap(({ position, learn }) => (learn === false ? [position] : [])))
  const columns: readonly Column[] = typed
    .filter(({ position }) => position !== targetIndex && !aside.has(position))
    .map(({ name, position, kind, dates }) => ({ name, position, ...(kind && { kind }), ...(dates && { dates }) }))
  if (attributes.length > 0 && columns.length === 0 && !isSeries) problems.push('has no attribute beside the target')
  if (problems.length > 0) throw new Refusal(problems)
  const rules = { separator, ...(missing && { missing }) }
  if (targetIndex === undefined) return { columns, ...rules }
  const before = typed
    .filter(({ position }) => position === targetIndex || !aside.has(position))
    .findIndex(({ position }) => position === targetIndex)
  const known = typed.find(({ position }) => position === targetIndex)
  const target: TargetColumn = known ? { ...known, before } : { name: 'target', position: targetIndex, unnamed: true }
  return { columns, target, ...rules }
}

/** An attribute that is read, and nothing is learnt from it. */
export function columnOf({ name, position, type }: AttributeEntry): Column {
  const code = decodeCode(typeCodes, type)
  const { kind, dates } = 'name' in code ? types[code.name] : {}
  return { name, position, ...(kind && { kind }), ...(dates && { dates }) }
}

const codeOfKind = { number: 1, word: 2, hybrid: 3 } as const

/** The attributes with the numeric codes of their types; one without a type has that of `attr_type`. */
export function typedAttributes({
  attributes,
  attributeKind,
}: Pick<LayoutRequest, 'attributes' | 'attributeKind'>): readonly AttributeEntry[] {
  return attributes.map(({ name, position, type, learn }) => {
    const code = decodeCode(typeCodes, type)
    return {
      name,
      position,
      ...(learn === false && { learn }),
      type: 'name' in code ? encodeCode(typeCodes, code.name) : codeOfKind[attributeKind],
    }
  })
}

function repeated(attributes: readonly AttributeEntry[]): string[] {
  const problems: string[] = []
  const names = new Set<string>()
  const positions = new Set<number>()
  for (const { name, position } of attributes) {
    if (names.has(name)) problems.push(`attribute '${name}' is listed twice`)
    if (positions.has(position)) problems.push(`position ${position} is given to two attributes`)
    if (!Number.isInteger(position) || position < 0) problems.push(`attribute '${name}' has position ${position}`)
    names.add(name)
    positions.add(position)
  }
  return problems
}

type Typed = { readonly kind?: Kind; readonly task?: 'classes' | 'numbers' | 'whole'; readonly dates?: true }

const types: Readonly<Record<(typeof typeCodes.entries)[number][1], Typed>> = {
  NUM: { kind: 'number' },
  STR: { kind: 'word', task: 'classes' },
  HYBRID: {},
  STRING: { kind: 'word', task: 'classes' },
  LONG: { kind: 'number', task: 'whole', dates: true },
  DOUBLE: { kind: 'number', task: 'numbers' },
  BOOL: { kind: 'number', task: 'classes' },
}
