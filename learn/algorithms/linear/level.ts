import { type Features, isSparse } from '../../dataset.ts'
import { spreadOf } from './spread.ts'

/** Rows to learn from, and how the weights that were learnt from them become those of the rows as they came. */
export type Leveled = { readonly rows: Features; readonly back: (weights: Float64Array) => Float64Array }

/**
 * Rows by which the weight of each column of numbers is held near 0 by what it does, whatever the unit of the column or its
 * outliers: numbers get the deviation 1, and where there is an intercept (`bias` above 0) the mean 0. So do glmnet
 * (Friedman, Hastie and Tibshirani 2010, section 2) and what scikit-learn recommends. Columns of words, which hold 0 and 1
 * alone, and sparse rows, which are mostly words, stay as they are.
 */
export function level(features: Features, bias: number): Leveled {
  if (isSparse(features)) return { rows: features, back: (weights) => weights }
  const { rows, columns, values } = features
  const isNumbers = columnsOfNumbers(features)
  const factors = spreadOf(features).map((deviation, column) => {
    const factor = 1 / deviation
    return isNumbers[column] === 1 && factor > 0 && Number.isFinite(factor) ? factor : 1
  })
  const means = bias > 0 ? meansOf(features).map((mean, column) => (isNumbers[column] === 1 ? mean : 0)) : undefined
  const moved = new Float64Array(values.length)
  for (let cell = 0, column = 0; cell < values.length; cell++, column = column + 1 === columns ? 0 : column + 1)
    moved[cell] = ((values[cell] ?? 0) - (means?.[column] ?? 0)) * (factors[column] ?? 1)
  return {
    rows: { rows, columns, values: moved },
    back: (weights) => {
      const found = weights.map((weight, column) => weight * (factors[column] ?? 1))
      if (means === undefined) return found
      const shift = means.reduce((sum, mean, column) => sum + mean * (found[column] ?? 0), 0)
      found[columns] = (found[columns] ?? 0) - shift / bias
      return found
    },
  }
}

/** By column 1 where any of its cells is neither 0 nor 1. */
function columnsOfNumbers({ columns, values }: Features): Uint8Array {
  const found = new Uint8Array(columns)
  for (let cell = 0, column = 0; cell < values.length; cell++, column = column + 1 === columns ? 0 : column + 1) {
    const value = values[cell]
    if (value !== 0 && value !== 1) found[column] = 1
  }
  return found
}

function meansOf({ rows, columns, values }: Features): Float64Array {
  const means = new Float64Array(columns)
  for (let cell = 0, column = 0; cell < values.length; cell++, column = column + 1 === columns ? 0 : column + 1)
    means[column] = (means[column] ?? 0) + (values[cell] ?? 0) / rows
  return means
}
