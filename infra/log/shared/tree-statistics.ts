import { z } from 'zod'

/** Lmdb's statistics of a tree, which its types leave out. */
export const treeStatistics = z.object({
  entryCount: z.number(),
  treeBranchPageCount: z.number(),
  treeLeafPageCount: z.number(),
  overflowPages: z.number(),
})

export const countOf = (database: { getStats(): unknown }): number =>
  treeStatistics.parse(database.getStats()).entryCount
