import { z } from 'zod'

/** The parts of a run, in their order, each with the share of the whole that is done when it begins. */
const begins = { waiting: 0, reading: 0.05, computing: 0.15, writing: 0.85 } as const

export type AlgorithmStep = keyof typeof begins
export const algorithmSteps = ['waiting', 'reading', 'computing', 'writing'] as const satisfies readonly AlgorithmStep[]

/** The share of a whole run, from 0 to 1, while `share` of a step is done. */
export function overall(step: AlgorithmStep, share: number): number {
  const next = algorithmSteps[algorithmSteps.indexOf(step) + 1]
  const end = next === undefined ? 1 : begins[next]
  const done = begins[step] + (end - begins[step]) * Math.min(1, Math.max(0, share))
  return Math.round(done * 1000) / 1000
}

const pulse = z.object({ step: z.enum(algorithmSteps), progress: z.number() })

/** The step and the progress in a run's latest pulse; nothing before its first one. */
export const progressOf = (told: unknown): Partial<z.infer<typeof pulse>> => pulse.safeParse(told).data ?? {}
