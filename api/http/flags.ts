type Query = Readonly<Record<string, unknown>>

/** `?consistency=eventual`: the answer need not hold what was acknowledged before it. */
export const isEventual = (query: Query): boolean => query.consistency === 'eventual'

/** `?force=1`: what would be lost may be lost. */
export const isForced = (query: Query): boolean => query.force === '1'
