/**
 * The first of the windows to hold out, of about that share, by the times of their targets, which ascend. No window before
 * it has a value of the time of its target or later, unless all have one time: then it is the order of the data that counts.
 */
export function holdLatest(times: Float64Array, share: number): number {
  const wanted = Math.min(times.length, Math.max(1, Math.round(share * times.length)))
  const border = times.length - wanted
  const time = times[border] ?? 0
  const first = times.findIndex((each) => each >= time)
  if (first > 0) return first
  const later = times.findIndex((each) => each > time)
  return later > 0 ? later : border
}
