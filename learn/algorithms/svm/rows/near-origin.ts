import { type Features, isSparse, type Matrix } from '../../../dataset.ts'
import { meanOf } from '../../../onnx/squared-distances.ts'

/** Farther from 0 than so many times their spread, |u|^2 + |v|^2 - 2 u.v loses too many digits of the distances of rows. */
const farFactor = 1000

/** The point to count from, for a kernel of distances; undefined where the origin does as well, as in data that LIBSVM scaled. */
export function originFor(features: Features): Float64Array | undefined {
  if (isSparse(features) || features.rows === 0) return undefined
  const { columns, values } = features
  const mean = meanOf(features)
  let spread = 0
  let size = 0
  for (const [cell, value] of values.entries()) spread = Math.max(spread, Math.abs(value - (mean[cell % columns] ?? 0)))
  for (const value of mean) size = Math.max(size, Math.abs(value))
  return size > farFactor * spread || size > 1e6 ? mean : undefined
}

export function movedBy(features: Features, origin: Float64Array | undefined): Features {
  if (origin === undefined || isSparse(features)) return features
  const moved: Matrix = {
    ...features,
    values: features.values.map((value, cell) => value - (origin[cell % features.columns] ?? 0)),
  }
  return moved
}
