const second_us = 1_000_000
const pauses_s = [1, 5, 30, 120, 600, 1_800]
const hour_s = 3_600
const longest_us = 24 * hour_s * second_us

/** When a delivery is tried again that has been tried so often, the last time up to `ended_us`; undefined after a day. */
export function nextTry(sent_us: number, tries: number, ended_us: number): number | undefined {
  const next = ended_us + (pauses_s[tries - 1] ?? hour_s) * second_us
  return isOver(sent_us, next) ? undefined : next
}

export const isOver = (sent_us: number, now_us: number): boolean => now_us > sent_us + longest_us
