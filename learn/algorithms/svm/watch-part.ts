import type { FitWatch } from '../../dataset.ts'

/** The same watch for a part of the work: its 0..1 are `from`..`to` of the whole. */
export function watchPart(watch: FitWatch, from: number, to: number): FitWatch {
  return { log: watch.log, beat: (fraction, note) => watch.beat(from + (to - from) * fraction, note) }
}
