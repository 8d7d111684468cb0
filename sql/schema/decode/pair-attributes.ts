import { attributesOf, parseExpression } from '../../expression/index.ts'
import type { PairTerm } from '../schema.ts'

/** The attributes of this event that a term reads. */
export const attributesRead = ({ value }: PairTerm): readonly string[] => {
  if (value.kind === 'attribute') return [value.name]
  return value.kind === 'expression' ? attributesOf(parseExpression(value.text)) : []
}
