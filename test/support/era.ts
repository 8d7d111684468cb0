/** Thursday, 2008-05-01T00:00:00Z: where a test's own time begins. A whole number of weeks since 1970. */
export const era_us = 2_000 * 7 * 86_400 * 1_000_000

/** So many microseconds later. */
export const at = (us: number): number => era_us + us
