import type { Logger } from '../../infra/logger.ts'
import type { Next, Recurrence } from '../../infra/orchestration/recurring.ts'
import type { Activities } from '../../infra/orchestration/workflow.ts'
import type { Schedule } from '../../sql/saved/schedule.ts'
import type { Watch } from '../../sql/saved/watch.ts'
import type { Told } from './saved.ts'
import { nextTimes } from './schedule/due.ts'
import { partOf } from './schedule/run.ts'
import { scheduleId } from './watch/store.ts'

/** The wall clock, and a pause that ends early where its signal is aborted; tests have one of their own. */
export type WallClock = {
  now_us(): number
  sleep(milliseconds: number, ended: AbortSignal): Promise<void>
}

/** Says what of the work that is due may begin. */
export type Agenda = {
  /** Whether the work of that id may begin. */
  mayBegin(id: string): boolean
  /** Is told after each look what there is, and which work waits, is under way, or has an outcome that is not written yet. */
  looked(kept: Iterable<Told>, isBusy: (id: string) => boolean): void
  close(): Promise<void>
}

/** Work begins when it is due by the clock of this process. */
export const ownClock = (): Agenda => ({ mayBegin: () => true, looked: () => {}, close: async () => {} })

/** Where each watch and each schedule is a workflow that sleeps between its times (docs/processes.md). */
export type Recurrences = {
  /** Has a workflow look at once whether something is due, and begins it where it does not run. */
  wake(recurrence: Recurrence): Promise<void>
  running(): Promise<readonly Recurrence[]>
  /** Has their activities done by this process until it is closed. */
  host(activities: Activities): { close(): Promise<void> }
}

export type CalledAgendaDeps = {
  readonly recurrences: Recurrences
  readonly present: (name: string) => Told | undefined
  readonly clock: WallClock
  readonly logger: Logger
}

type Question = { readonly name: string }
type Entry = Question & { readonly place: number }

/** Ends an activity. */
type End = (error?: Error) => void

/** Workflows that are woken at once. */
const atOnce = 16
const idle_ms = 100
const again_ms = 2_000
/** How often it is looked whether all run that should. */
const list_us = 60_000_000
/** The longest sleep: the rules of time zones may change meanwhile. */
const longest_ms = 86_400_000

/**
 * Work begins when Temporal calls for it. Each watch and each schedule has a workflow there; it is woken when its question
 * changes, and begun anew where it ended otherwise.
 */
export function openCalledAgenda({ recurrences, present, clock, logger }: CalledAgendaDeps): Agenda {
  /** By the id of work: the activities that wait until it is done. */
  const calls = new Map<string, Set<End>>()
  const known = new Map<string, Told>()
  const toWake = new Map<string, Recurrence>()
  const closing = new AbortController()

  function note(recurrence: Recurrence): void {
    toWake.set(JSON.stringify(recurrence), recurrence)
  }

  /** Resolves once nothing is due of that id, and nothing of it is under way. */
  const isDone = (id: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        signal.removeEventListener('abort', cancelled)
        const others = calls.get(id)
        others?.delete(end)
        if (others?.size === 0) calls.delete(id)
        if (error) reject(error)
        else resolve()
      }
      const cancelled = (): void => end(new Error('the call was cancelled'))
      signal.addEventListener('abort', cancelled)
      calls.set(id, (calls.get(id) ?? new Set()).add(end))
      if (closing.signal.aborted) end(leaving())
    })

  const host = recurrences.host({
    async evaluateWatch({ name }: Question, signal: AbortSignal): Promise<Next> {
      if (!present(name)?.question.watch) return null
      await isDone(name, signal)
      const watch = present(name)?.question.watch
      return watch ? nextOfWatch(watch, clock.now_us()) : null
    },
    async runSchedule({ name, place }: Entry, signal: AbortSignal): Promise<Next> {
      const schedule = present(name)?.question.schedule[place]
      if (!schedule) return null
      await isDone(scheduleId(name, partOf(schedule)), signal)
      const now = present(name)?.question.schedule[place]
      return now ? nextOfSchedule(now, clock.now_us()) : null
    },
  })

  function follow(kept: Iterable<Told>): void {
    const seen = new Set<string>()
    for (const told of kept) {
      seen.add(told.name)
      const before = known.get(told.name)
      if (before?.number === told.number) continue
      known.set(told.name, told)
      for (const each of [...(before ? recurrencesOf(before) : []), ...recurrencesOf(told)]) note(each)
    }
    for (const [name, told] of known) {
      if (seen.has(name)) continue
      known.delete(name)
      recurrencesOf(told).forEach(note)
    }
  }

  /** Wakes the workflows that do not run and should, and those that run and should not: these end. */
  async function compare(): Promise<void> {
    const running = new Map((await recurrences.running()).map((each) => [JSON.stringify(each), each]))
    const wanted = new Map([...known.values()].flatMap(recurrencesOf).map((each) => [JSON.stringify(each), each]))
    for (const [id, each] of running) if (!wanted.has(id)) note(each)
    for (const [id, each] of wanted) if (!running.has(id)) note(each)
  }

  async function wakeSome(): Promise<void> {
    const some = [...toWake].slice(0, atOnce)
    await Promise.all(
      some.map(async ([id, each]) => {
        await recurrences.wake(each)
        if (toWake.get(id) === each) toWake.delete(id)
      }),
    )
  }

  async function serve(): Promise<void> {
    let compared = 0
    let isAway = false
    while (!closing.signal.aborted) {
      try {
        await wakeSome()
        const now_us = clock.now_us()
        if (Math.abs(now_us - compared) >= list_us) {
          await compare()
          compared = now_us
        }
        isAway = false
        if (toWake.size === 0) await clock.sleep(idle_ms, closing.signal)
      } catch (error) {
        if (!isAway) logger.warn({ err: error }, 'workflows of saved questions not woken, retrying')
        isAway = true
        await clock.sleep(again_ms, closing.signal)
      }
    }
  }
  const serving = serve()

  return {
    mayBegin: (id) => calls.has(id),
    looked(kept, isBusy) {
      follow(kept)
      for (const [id, ends] of calls) if (!isBusy(id)) for (const end of ends) end()
    },
    async close() {
      closing.abort()
      for (const ends of calls.values()) for (const end of ends) end(leaving())
      await Promise.all([serving, host.close()])
    },
  }
}

const leaving = (): Error => new Error('this process leaves watches and schedules to another')

/** The workflows that a question has. */
function recurrencesOf({ name, question: { watch, schedule } }: Told): Recurrence[] {
  return [
    ...(watch ? [{ kind: 'watchQuestion', request: { name } }] : []),
    ...schedule.map((_, place) => ({ kind: 'scheduleQuestion', request: { name, place } })),
  ]
}

function nextOfWatch({ every, when }: Watch, now_us: number): Next {
  const every_us = every * 1_000_000
  const next_us = (Math.floor(now_us / every_us) + 1) * every_us
  return sleepUntil(next_us, now_us, `Every ${every} s, when ${when}.`)
}

function nextOfSchedule(schedule: Schedule, now_us: number): Next {
  const { cron, tz } = schedule
  const [next_us = now_us + longest_ms * 1_000] = nextTimes(schedule, now_us, 1)
  return sleepUntil(next_us, now_us, `At ${cron} (${tz}).`)
}

/** A pause, and not a time: the clock of the other server may be another. */
const sleepUntil = (next_us: number, now_us: number, says: string): Next => ({
  wait_ms: Math.min(Math.ceil((next_us - now_us) / 1_000), longest_ms),
  says: `${says}\n\nNext at ${new Date(next_us / 1_000).toISOString()}.`,
})
