/** Parts of a schema as a client writes them: what `decode/` makes of these is the part again. */
import type { Comparison, Condition, Operator } from '../query/ast.ts'
import { comparisons, encodeCode, joinOperators, pairOperations, presentRules, queryTypes } from './codes.ts'
import { encodeMoving } from './decode/moving.ts'
import type {
  Absence,
  ComputedAttribute,
  Filter,
  MovingFilter,
  NodeOfEvent,
  PairCondition,
  PairTerm,
  Reference,
  Relation,
  Rule,
  RuleCondition,
  RuleOperand,
  Session,
} from './schema.ts'

const comparisonOf = {
  '>': 'GT',
  '>=': 'GTE',
  '<': 'LT',
  '<=': 'LTE',
  '=': 'EQ',
  '!=': 'NE',
} as const satisfies Readonly<Record<Operator, string>>

/** A number that a double would change stays text, as which it is read, too. */
function valueOf(value: RuleOperand): string | number | boolean {
  if (value.kind === 'attribute') return `$${value.path}`
  if (value.kind === 'moving') return encodeMoving(value)
  if (value.kind !== 'number') return value.value
  return String(Number(value.text)) === value.text ? Number(value.text) : value.text
}

const keyOf = (side: RuleOperand): string => (side.kind === 'attribute' ? side.path : String(valueOf(side)))

type Compared = { readonly left: RuleOperand; readonly operator: Operator; readonly right: RuleOperand }

const sidesOf = (compared: Comparison | Extract<RuleCondition, { readonly kind: 'compare' }>): Compared =>
  'path' in compared
    ? { left: { kind: 'attribute', path: compared.path }, operator: compared.operator, right: compared.value }
    : compared

const encodeComparison = ({ left, operator, right }: Compared) => ({
  key: keyOf(left),
  cmp_op: encodeCode(comparisons, comparisonOf[operator]),
  val: valueOf(right),
})

type AnyCondition = Condition | RuleCondition

const termsOf = (condition: AnyCondition, kind: 'and' | 'or'): readonly AnyCondition[] =>
  condition.kind === kind ? condition.terms : [condition]

const joined = (lists: readonly (readonly unknown[])[], by: 'AND' | 'OR'): readonly unknown[] =>
  lists.flatMap((list, index) => (index === 0 ? list : [{ joinop: encodeCode(joinOperators, by) }, ...list]))

/** The `fqry` of a filter, whose condition is comparisons joined by AND, and these joined by OR. */
export function encodeCondition(condition: AnyCondition) {
  const compared: Compared[] = []
  const alternatives = termsOf(condition, 'or').map((alternative) =>
    joined(
      termsOf(alternative, 'and').map((term) => {
        if (term.kind !== 'compare') return []
        const sides = sidesOf(term)
        compared.push(sides)
        return [encodeComparison(sides)]
      }),
      'AND',
    ),
  )
  const isMoving = compared.some(({ left, right }) => left.kind === 'moving' || right.kind === 'moving')
  const isOfAttributes = compared.some(({ right }) => right.kind === 'attribute')
  const qtype = isMoving ? 'MOVING' : isOfAttributes ? 'ATTRIBUTES' : 'VALUES'
  return { name: { query: joined(alternatives, 'OR'), qtype: encodeCode(queryTypes, qtype) } }
}

type AnyFilter = Pick<Filter | MovingFilter, 'attributes' | 'condition' | 'computed'>

export const encodeFilter = ({ attributes, condition, computed = [] }: AnyFilter) => ({
  fatr: attributes,
  fqry: encodeCondition(condition),
  ...(computed.length > 0 && { catr: computed.map(encodeNamed) }),
})

export const encodeComputed = (computed: Omit<ComputedAttribute, 'name'>) => {
  const {
    type,
    operation,
    inputs,
    order,
    whenPresent,
    model,
    algorithm,
    attributeType,
    expectedFormat,
    version,
    probabilityOf,
    lag,
    uid,
    key,
    start,
    isBeforeReferences,
  } = computed
  return {
    type,
    opnm: operation,
    iatr: inputs,
    order,
    fnr: encodeCode(presentRules, whenPresent),
    ...(model !== undefined && { model }),
    ...(algorithm !== undefined && { algo: algorithm }),
    ...(attributeType !== undefined && { attr_type: attributeType }),
    ...(expectedFormat !== undefined && { exp_fmt: expectedFormat }),
    ...(version !== undefined && { version }),
    ...(probabilityOf !== undefined && { prob: probabilityOf }),
    ...(lag !== undefined && { lag }),
    ...(uid !== undefined && { uid }),
    ...(key !== undefined && { key }),
    ...(start !== undefined && { start }),
    ...(isBeforeReferences && { seq: 1 }),
  }
}

const encodeNamed = ({ name, ...computed }: ComputedAttribute) => ({ name, ...encodeComputed(computed) })

/** The members by which relations of the same ends and name differ. */
export const encodeRelation = (
  relation: Omit<Relation, 'subject' | 'relation' | 'object' | 'subjectLabel' | 'objectLabel'>,
) => ({
  sub_props: relation.subjectProperties,
  obj_props: relation.objectProperties,
  rel_props: relation.relationProperties,
  sub_updt: relation.updateSubject ? 1 : 0,
  obj_updt: relation.updateObject ? 1 : 0,
})

/** The members by which nodes of the same label and attribute differ. */
export const encodeNode = ({ properties, update }: Pick<NodeOfEvent, 'properties' | 'update'>) => ({
  props: properties,
  updt: update ? 1 : 0,
})

const argumentOf = ({ value }: PairTerm) => {
  if (value.kind === 'attribute') return value.name
  if (value.kind === 'expression') return value.text
  return typeof value.value === 'bigint' ? String(value.value) : value.value
}

const operationOf = {
  attribute: 'ATTR',
  fixed: 'FIXED',
  expression: 'MATH_EXP',
} as const satisfies Readonly<Record<PairTerm['value']['kind'], string>>

const betweenOf = { any: 0, 'none of the stream': 1, 'none of the key': 2 } as const

/** `jqry` */
function encodePair({ terms, between }: PairCondition) {
  const [first, ...others] = new Set(terms.map(({ value }) => value.kind))
  const operation = first === undefined || others.length > 0 ? 'HYBRID' : operationOf[first]
  return {
    cond: terms.map(({ other }) => other),
    args: terms.map(argumentOf),
    opid: encodeCode(pairOperations, operation),
    cmp: terms.map(({ operator }) => comparisonOf[operator]),
    seq: betweenOf[between],
  }
}

/** The source of a reference as a client names it. */
export const encodeSource = ({ source }: Pick<Reference, 'source'>): string =>
  source.kind === 'table' ? `${source.database}.${source.table}` : source.stream

export const encodeReference = ({
  source,
  results,
  sources,
  condition,
  whenPresent,
  asOf,
}: Omit<Reference, 'name'>) => ({
  rstm: encodeSource({ source }),
  iatr: results,
  ratr: sources,
  jqry: encodePair(condition),
  fnr: encodeCode(presentRules, whenPresent),
  ...(asOf && { as_of: asOf }),
})

/** `type` of an entry of `join` or `cepq` */
export const encodeRuleType = ({ mode, role }: Pick<Rule, 'mode' | 'role'>): number => {
  if (mode === 'single' || mode === 'all') return 6
  if (mode === 'latest') return role === 'passive' ? 2 : 4
  if (mode === 'matching') return role === 'passive' ? 3 : 5
  return 1
}

const conditionsOf = ({ count, within_us, closing }: Pick<Rule, 'count' | 'within_us' | 'closing'>) => [
  { name: 'NUMT', val: count },
  ...(within_us === undefined ? [] : [{ name: 'DUR', val: within_us / 1e6 }]),
  ...(closing ? [{ name: 'cqry', fqry: encodeCondition(closing) }] : []),
]

export const encodeAbsence = ({ after_us, target, notification }: Absence) => ({
  after: after_us / 1e6,
  ...(target !== undefined && { ostm: target }),
  ...(notification !== undefined && { notf: notification }),
})

/** The members of an entry of `gpby` or `enty` that say of its sessions. */
export const encodeSession = ({ gap_us, longest_us, target, notification }: Session) => ({
  session: gap_us / 1e6,
  smax: longest_us / 1e6,
  ...(target !== undefined && { ostm: target }),
  ...(notification !== undefined && { notf: notification }),
})

/** An entry of `join` or `cepq`. */
export const encodeRule = (rule: Omit<Rule, 'name'>) => ({
  type: encodeRuleType(rule),
  tloc: rule.distance_us / 1e6,
  iatr: rule.inputs,
  ...(rule.partner !== undefined && { rstm: rule.partner, ratr: [...rule.results, ...(rule.runResults ?? [])] }),
  ...(rule.condition && { jqry: encodePair(rule.condition) }),
  ...(rule.filter && { fqry: encodeCondition(rule.filter) }),
  ...(rule.computed.length > 0 && { catr: rule.computed.map(encodeNamed) }),
  ...(rule.kind === 'pattern' && rule.mode !== 'single' && { cond: conditionsOf(rule) }),
  ...(rule.skip && { skip: rule.skip }),
  ...(rule.target !== undefined && { ostm: rule.target }),
  ...(rule.notification !== undefined && { notf: rule.notification }),
  ...(rule.absent && { absent: encodeAbsence(rule.absent) }),
})
