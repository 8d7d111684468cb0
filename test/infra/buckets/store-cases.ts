import { bucketCases } from './bucket-cases.ts'
import { crashCases } from './crash-cases.ts'
import type { Case } from './harness.ts'
import { keyCases } from './key-cases.ts'
import { keyedBucketCases } from './keyed-bucket-cases.ts'
import { objectCases } from './object-cases.ts'
import { sliceCases } from './slice-cases.ts'
import { writeCases } from './write-cases.ts'

/** Cases that hold for every store. */
export const storeCases: readonly Case[] = [
  ...bucketCases,
  ...keyCases,
  ...objectCases,
  ...writeCases,
  ...sliceCases,
  ...keyedBucketCases,
  ...crashCases,
]
