import { readInputs } from '../inputs.ts'
import type { Operation } from '../values.ts'

const byKind =
  (ofText: (text: string) => string, ofNumber: (x: number) => number): Operation =>
  (attribute, readInput) => {
    const [read] = readInputs(attribute, readInput)
    return (event) => {
      const value = read?.(event)
      if (typeof value === 'string') return ofText(value)
      if (typeof value === 'number') return ofNumber(value)
      return typeof value === 'bigint' ? value : undefined
    }
  }

export const upper = byKind((text) => text.toUpperCase(), Math.ceil)
export const lower = byKind((text) => text.toLowerCase(), Math.floor)
