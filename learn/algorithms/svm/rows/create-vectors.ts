import { type Features, isSparse } from '../../../dataset.ts'
import { denseVectors } from './dense-vectors.ts'
import { sparseVectors } from './sparse-vectors.ts'
import type { Vectors } from './vectors.ts'

/** Some rows of a data set, or all. Exchanging them leaves `features` as it is. */
export function createVectors(features: Features, rows?: Int32Array): Vectors {
  const chosen = rows ?? Int32Array.from({ length: features.rows }, (_, i) => i)
  return isSparse(features) ? sparseVectors(features, chosen) : denseVectors(features, chosen)
}
