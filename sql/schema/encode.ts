/** Parts of a schema as a client writes them: what `decode/` makes of these is the part again. */
import type { Comparison, Condition, Operand, Operator } from '../query/ast.ts'
import { comparisons, encodeCode, joinOperators, presentRules, queryTypes } from './codes.ts'
import type { ComputedAttribute, Filter, Relation } from './schema.ts'

const comparisonOf = {
  '>': 'GT',
  '>=': 'GTE',
  '<': 'LT',
  '<=': 'LTE',
  '=': 'EQ',
  '!=': 'NE',
} as const satisfies Readonly<Record<Operator, string>>

/** A number that a double would change stays text, as which it is read, too. */
function valueOf(value: Operand): string | number | boolean {
  if (value.kind === 'attribute') return `$${value.path}`
  if (value.kind !== 'number') return value.value
  return String(Number(value.text)) === value.text ? Number(value.text) : value.text
}

const encodeComparison = ({ path, operator, value }: Comparison) => ({
  key: path,
  cmp_op: encodeCode(comparisons, comparisonOf[operator]),
  val: valueOf(value),
})

const termsOf = (condition: Condition, kind: 'and' | 'or'): readonly Condition[] =>
  condition.kind === kind ? condition.terms : [condition]

const joined = (lists: readonly (readonly unknown[])[], by: 'AND' | 'OR'): readonly unknown[] =>
  lists.flatMap((list, index) => (index === 0 ? list : [{ joinop: encodeCode(joinOperators, by) }, ...list]))

/** The `fqry` of a filter, whose condition is comparisons joined by AND, and these joined by OR. */
export function encodeCondition(condition: Condition) {
  const compared: Comparison[] = []
  const alternatives = termsOf(condition, 'or').map((alternative) =>
    joined(
      termsOf(alternative, 'and').map((term) => {
        if (term.kind !== 'compare') return []
        compared.push(term)
        return [encodeComparison(term)]
      }),
      'AND',
    ),
  )
  const qtype = compared.some(({ value }) => value.kind === 'attribute') ? 'ATTRIBUTES' : 'VALUES'
  return { name: { query: joined(alternatives, 'OR'), qtype: encodeCode(queryTypes, qtype) } }
}

export const encodeFilter = ({ attributes, condition }: Pick<Filter, 'attributes' | 'condition'>) => ({
  fatr: attributes,
  fqry: encodeCondition(condition),
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
    probabilityOf,
    lag,
    uid,
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
    ...(probabilityOf !== undefined && { prob: probabilityOf }),
    ...(lag !== undefined && { lag }),
    ...(uid !== undefined && { uid }),
  }
}

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
