import { pathOf } from '../../parts/paths.ts'

/** The page of a stream that is named `schema.stream`. */
export const streamAddress = (into: string): string => pathOf('streams', ...into.split('.'))
