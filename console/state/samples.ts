/** The latest values of a figure that is asked for again and again. */
export type Sample = { readonly at_ms: number; readonly value: number }

/** With a new sample, without those that are too old. */
export const withSample = (samples: readonly Sample[], sample: Sample, longest_ms: number): readonly Sample[] => [
  ...samples.filter(({ at_ms }) => at_ms > sample.at_ms - longest_ms),
  sample,
]

/**
 * Values a second between samples of a count that only grows. A count that is smaller than the one before began anew, with
 * the service: it is left out.
 */
export function ratesOf(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(1).flatMap(({ at_ms, value }, at) => {
    const before = samples[at]
    if (!before || value < before.value || at_ms <= before.at_ms) return []
    return { at_ms, value: ((value - before.value) * 1000) / (at_ms - before.at_ms) }
  })
}
