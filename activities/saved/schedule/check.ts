import { Fault, fault } from '../../../base/faults.ts'
import { Refusal } from '../../../base/refusal.ts'
import { problemOfKey, quoted } from '../../../infra/buckets/names.ts'
import { createCronTimes } from '../../../infra/cron.ts'
import type { Schedule } from '../../../sql/saved/schedule.ts'
import { type Caller, checkPlace, checkScope } from '../../keys/caller.ts'
import { hiddenBucket, systemBuckets } from '../../objects/buckets.ts'
import { keyAt } from './run.ts'

export type CheckScheduleDeps = {
  /** Throws where the bucket is gone, or has keys. */
  readonly admit: (bucket: string) => Promise<void>
  readonly now_us: () => number
}

/** Refuses schedules whose times or buckets cannot be, and buckets into which their definer may not write. */
export function createCheckSchedules({ admit, now_us }: CheckScheduleDeps) {
  function problemOfTimes({ cron, tz }: Schedule): string | undefined {
    try {
      return createCronTimes(cron, tz).after(now_us()) === undefined ? 'cron: has no time that will come' : undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async function problemOfBucket(bucket: string, caller: Caller | undefined): Promise<string | undefined> {
    if (systemBuckets.includes(bucket) || bucket === hiddenBucket)
      return `into.bucket: ${bucket} is a bucket of the service; take one of your own`
    if (caller) {
      checkScope(caller, ['write'])
      checkPlace(caller, 'write', `bucket:${bucket}`)
    }
    try {
      await admit(bucket)
      return undefined
    } catch (error) {
      if (error instanceof Fault && error.kind === 'missing') return `into.bucket: ${error.message}`
      if (error instanceof Fault && error.kind === 'forbidden')
        return `into.bucket: ${bucket} has keys, which a schedule has not`
      throw error
    }
  }

  function problemOfObject(key: string): string | undefined {
    const problem = problemOfKey(key)
    return problem === undefined ? undefined : `into.key: ${quoted(key)} cannot be an object's key: ${problem}`
  }

  return async (schedules: readonly Schedule[], caller: Caller | undefined): Promise<void> => {
    const problems: string[] = []
    for (const [n, schedule] of schedules.entries()) {
      const { into, tz } = schedule
      const ofTimes = problemOfTimes(schedule)
      const found = [
        ofTimes,
        into && (await problemOfBucket(into.bucket, caller)),
        into && ofTimes === undefined ? problemOfObject(keyAt(into.key, now_us(), tz)) : undefined,
      ].filter((each) => each !== undefined)
      problems.push(...found.map((problem) => `schedule[${n}].${problem.slice(0, 500)}`))
    }
    if (problems.length > 0) throw new Refusal(problems)
  }
}

/** The schedule of that place, or all. */
export function schedulesAt(name: string, schedules: readonly Schedule[], place: number | undefined): Schedule[] {
  if (schedules.length === 0)
    throw fault('conflict', `${name} has no schedule: PUT /saved/${name} with "schedule" makes one`)
  if (place === undefined) return [...schedules]
  const found = schedules[place]
  if (found) return [found]
  throw fault('invalid', `schedule: ${name} has ${schedules.length}, which count from 0; there is no ${place}`)
}
