/** The types of computed attributes that words leave out: an expression says what it gives. */
import type { Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { parseExpression, typeOfExpression, type ValueType } from '../../expression/index.ts'
import { valueTypeOf } from '../check/computed-expression.ts'
import { attributeTypes, decodeCode, encodeCode } from '../codes.ts'
import type { AttributeType } from '../schema.ts'
import type { Wire } from './codec.ts'
import { objects } from './entities.ts'

const typeOfValue: Readonly<Record<ValueType, AttributeType | undefined>> = {
  text: 'STRING',
  number: 'DOUBLE',
  boolean: 'BOOL',
  any: undefined,
}

const ofLiteral = (value: Json | undefined): ValueType => {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'any'
}

const declaredType = (type: Json | undefined): ValueType => {
  const code = decodeCode(attributeTypes, type)
  return 'name' in code ? valueTypeOf(code.name) : 'any'
}

function typeGiven({ name, opnm, iatr, start }: Wire, typeOf: (name: string) => ValueType): ValueType {
  const [input] = Array.isArray(iatr) ? iatr : []
  if (opnm === 'COPY_VAL') return ofLiteral(input)
  if ((opnm !== 'MATH_EXP' && opnm !== 'FOLD') || typeof input !== 'string') return 'any'
  try {
    const typeOfName = (each: string) => (opnm === 'FOLD' && each === name ? ofLiteral(start) : typeOf(each))
    return typeOfExpression(parseExpression(input), typeOfName, () => {})
  } catch (error) {
    // The decoder says what is wrong with the expression, and where.
    if (error instanceof Refusal) return 'any'
    throw error
  }
}

/**
 * Gives a stream's computed attributes, those of its filters and rules too, the types that their expressions show. An
 * attribute without a type that is computed further down may be anything.
 */
export function inferTypes(stream: Wire): void {
  const [declared, computed] = [objects(stream.attr), objects(stream.catr)]
  const types = new Map([...computed, ...declared].map(({ name, type }) => [String(name), declaredType(type)]))
  const typeOf = (name: string) => types.get(name) ?? 'any'
  const named = new Set(declared.map(({ name }) => name))
  const ofRows = ['fltr', 'join', 'cepq'].flatMap((kind) => objects(stream[kind])).flatMap(({ catr }) => objects(catr))
  const own = computed.filter(({ name }) => !named.has(name))
  for (const [index, entry] of [...own, ...ofRows].entries()) {
    if (entry.type !== undefined) continue
    const gives = typeGiven(entry, typeOf)
    const type = typeOfValue[gives]
    if (type === undefined) continue
    entry.type = encodeCode(attributeTypes, type)
    if (index < own.length) types.set(String(entry.name), gives)
  }
}
