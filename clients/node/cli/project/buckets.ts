import { type Weir, WeirError } from '../../src/index.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import type { Values } from './yaml.ts'

type Question = { readonly where: string; readonly question: Values }

/** Makes the buckets into which schedules write: a throwaway Weir has its own ones, with nothing in them. */
export async function makeBuckets(weir: Weir, questions: readonly Question[]): Promise<void> {
  const places = new Map(questions.flatMap(({ where, question }) => bucketsIn(question).map((name) => [name, where])))
  for (const [bucket, where] of places) {
    try {
      await weir.bucket(bucket).make()
    } catch (error) {
      if (!(error instanceof WeirError)) throw error
      // It is there; or it is the service's own, and the definition of the question is refused for it.
      if (error.kind === 'conflict') continue
      throw new Exit(exitCodes.failed, `${where}: schedule: into.bucket ${bucket}: ${error.message}`)
    }
  }
}

/** Forms that are none are left to the service, which refuses them. */
function bucketsIn({ schedule }: Values): string[] {
  if (!Array.isArray(schedule)) return []
  return schedule.flatMap((each: { into?: { bucket?: unknown } | null } | null) => {
    const bucket = each?.into?.bucket
    return typeof bucket === 'string' ? [bucket] : []
  })
}
