/** Digits behind the point that a level may have. */
export const levelDigits = 6

/** How a quantile is called in answers and columns: `p95`, and `p99_9` for 0.999. A level has at most `levelDigits` digits. */
export const quantileMember = (level: number): string => {
  const percent = Math.round(level * 10 ** levelDigits) / 10 ** (levelDigits - 2)
  return `p${String(percent).replace('.', '_')}`
}
