import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import type { Lease, Leases } from '../../../infra/processes/leases.ts'
import type { SavedQuestion } from '../../../sql/saved/definition.ts'
import type { Schedule } from '../../../sql/saved/schedule.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import type { Agenda, WallClock } from '../agenda.ts'
import type { Saved, Told } from '../saved.ts'
import { createDueTimes } from '../schedule/due.ts'
import { partOf, type RunSchedule, readPart } from '../schedule/run.ts'
import type { Evaluate } from './evaluate.ts'
import { type AskedRun, scheduleId, type WatchStore } from './store.ts'
import { type EndedRun, type Evaluation, Superseded, type Turns } from './turns.ts'

export type KeeperDeps = {
  /** Undefined where no other process is on this ClickHouse. */
  readonly leases: Pick<Leases, 'tryTake'> | undefined
  readonly turns: Turns
  /** Opened while this process does the work. */
  readonly openAgenda: () => Agenda
  readonly store: Pick<WatchStore, 'asked'>
  readonly evaluate: Evaluate
  readonly runSchedule: RunSchedule
  /** The questions that have a watch or a schedule. */
  readonly kept: () => Iterable<Told>
  readonly present: (name: string) => Told | undefined
  readonly since: Saved['since']
  readonly clock: WallClock
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'watchEvaluations' | 'scheduleRuns'>
}

/** Evaluations and runs that are under way at once. */
const maxRunning = 4
/** Work that is due together begins piece by piece, the last after half a minute at most. */
const tick_ms = 25
const spread_ms = 30_000
const idle_ms = 200
/** How often it is looked what is due, and whether another process does the work. */
const look_us = 200_000
const follow_us = 1_000_000
/** Turns that follow each other at once would be one. */
const turn_us = 200_000
const again_ms = 1_000
/** A run whose question fails is tried again after these pauses. */
const pauses_ms = [5_000, 30_000]
/** Runs that were asked for are over after a day. */
const day_us = 86_400_000_000

const alone: Pick<Lease, 'isHeld' | 'end'> = { isHeld: () => true, end: async () => {} }

/** Work that is due; it resolves once it has put its outcome among the ended, or was aborted. */
type Due = (signal: AbortSignal) => Promise<void>

/**
 * Evaluates watches at whole multiples of their `every`, and runs schedules at their times, in one process at a time.
 * Work that is due together begins piece by piece. A watch has one evaluation at a time, and one for all times that have
 * passed meanwhile; so has a schedule.
 */
export function createKeeper(deps: KeeperDeps) {
  const { leases, turns, openAgenda, store, evaluate, runSchedule, kept, present, since, clock, logger, metrics } = deps
  /** By name: work that is to begin, in the order in which it became due. */
  const waiting = new Map<string, Due>()
  const running = new Map<string, Promise<void>>()
  /** Of the work that is to begin: the runs that a client asked for, which may be of entries that are no longer there. */
  const askedFor = new Set<string>()
  /** Outcomes that no turn has used yet. They wait while ClickHouse is away, so that a failure is reported afterwards. */
  let evaluations: Evaluation[] = []
  let runs: EndedRun[] = []
  const dueTimes = createDueTimes()
  /** Since when questions have had their watches and schedules, as far as it was asked; by the version that was current then. */
  const begins = new Map<string, { readonly number: number; readonly at: number }>()
  /** Work that goes on from a time before the version of its question: that may be of another watch, or schedule, of its name. */
  const doubted = new Map<string, { readonly told: Told; readonly has: (question: SavedQuestion) => boolean }>()

  const timeOf = ({ every }: Watch, now_us: number): number => {
    const every_us = every * 1_000_000
    return Math.floor(now_us / every_us) * every_us
  }

  const evaluation =
    (told: Told, watch: Watch): Due =>
    async (signal) => {
      const { name, number } = told
      const begun = clock.now_us()
      const at = timeOf(watch, begun)
      const outcome = await evaluate(told, watch, signal)
      const took_ms = Math.round((clock.now_us() - begun) / 1000)
      metrics.watchEvaluations.inc({ outcome: outcome.kind })
      evaluations.push({ name, version: number, watch, at, took_ms, outcome })
    }

  const run =
    (told: Told, schedule: Schedule, due: number, isAsked: boolean): Due =>
    async (signal) => {
      const { name, number } = told
      const began = clock.now_us()
      let result = await runSchedule(told, schedule, due, signal)
      for (const pause_ms of pauses_ms) {
        if (result.state === 'done' || isAsked) break
        logger.warn({ saved: name, reason: result.says }, 'run of a schedule failed, trying again')
        await clock.sleep(pause_ms, signal)
        if (signal.aborted) return
        result = await runSchedule(told, schedule, due, signal)
      }
      metrics.scheduleRuns.inc({ outcome: result.state })
      const took_ms = Math.round((clock.now_us() - began) / 1000)
      const about = { name, part: partOf(schedule), due, version: number, isAsked, began, took_ms }
      if (result.state === 'failed') runs.push({ run: { ...about, state: 'failed', says: result.says } })
      else {
        const { ready, ...rest } = result
        runs.push({ run: { ...about, ...rest }, ...(ready && { ready }) })
      }
    }

  /** Undefined where it has to be asked. */
  function beginOf(id: string, { number }: Told): number | undefined {
    const known = begins.get(id)
    return known?.number === number ? known.at : undefined
  }

  /** False where the state is of a watch that was taken away before this one was made. */
  function lookAtWatch(told: Told, watch: Watch, now_us: number, mayBegin: Agenda['mayBegin']): boolean {
    const { name } = told
    const last = turns.lastOf(name) ?? told.at
    if (last < told.at) {
      const begin = beginOf(name, told)
      if (begin === undefined) doubted.set(name, { told, has: (question) => question.watch !== undefined })
      else if (begin > last) return false
    }
    if (mayBegin(name) && timeOf(watch, now_us) > last) waiting.set(name, evaluation(told, watch))
    return true
  }

  function lookAtSchedule(told: Told, schedule: Schedule, now_us: number, mayBegin: Agenda['mayBegin']): string {
    const part = partOf(schedule)
    const id = scheduleId(told.name, part)
    if (!mayBegin(id)) return id
    const begin = beginOf(id, told)
    const due = dueTimes.due(id, schedule, Math.max(turns.lastRunOf(told.name, part) ?? 0, begin ?? 0), now_us)
    if (due === undefined) return id
    if (due <= told.at && begin === undefined)
      doubted.set(id, { told, has: (question) => question.schedule.some((each) => partOf(each) === part) })
    else waiting.set(id, run(told, schedule, due, false))
    return id
  }

  /** A schedule that was taken away, alone or with its question, and made again has no run of the times in between. */
  async function askBegins(): Promise<void> {
    for (const [id, { told, has }] of doubted) {
      const at = await since(told, has)
      begins.set(id, { number: told.number, at })
      doubted.delete(id)
    }
  }

  /** Notes what is due; returns the names of the watches. */
  function look(agenda: Agenda, now_us: number, asked: readonly AskedRun[]): Set<string> {
    const watches = new Set<string>()
    const schedules = new Set<string>()
    const unwritten = new Set([
      ...evaluations.map(({ name }) => name),
      ...runs.map(({ run }) => scheduleId(run.name, run.part)),
    ])
    const isBusy = (id: string): boolean => running.has(id) || waiting.has(id) || unwritten.has(id) || doubted.has(id)
    const mayBegin = (id: string): boolean => agenda.mayBegin(id) && !isBusy(id)
    for (const told of kept()) {
      const { watch, schedule } = told.question
      if (watch) {
        if (lookAtWatch(told, watch, now_us, mayBegin)) watches.add(told.name)
      }
      for (const each of schedule) schedules.add(lookAtSchedule(told, each, now_us, mayBegin))
    }
    const wanted = new Set([...watches, ...schedules])
    for (const { name, part, due } of asked) {
      // An entry that was changed or taken away since is run as it was asked for.
      const told = present(name)
      const id = scheduleId(name, part)
      if (!told || isBusy(id)) continue
      askedFor.add(id)
      waiting.set(id, run(told, readPart(part), due, true))
    }
    for (const id of waiting.keys()) if (!wanted.has(id) && !askedFor.has(id)) waiting.delete(id)
    dueTimes.keep(schedules)
    for (const id of begins.keys()) if (!schedules.has(id) && !present(id)?.question.watch) begins.delete(id)
    agenda.looked(kept(), isBusy)
    return watches
  }

  function beginSome(signal: AbortSignal): void {
    let most = Math.ceil((waiting.size * tick_ms) / spread_ms)
    for (const [id, due] of waiting) {
      if (most-- === 0 || running.size >= maxRunning) return
      waiting.delete(id)
      askedFor.delete(id)
      const work = due(signal)
        .catch((error: unknown) => {
          // The process ends, or leaves the work to another.
          if (!signal.aborted) logger.error({ err: error }, 'work of a saved question failed')
        })
        .finally(() => running.delete(id))
      running.set(id, work)
    }
  }

  async function turn(gone: readonly string[], now_us: number): Promise<void> {
    // A question that was changed or deleted amid an evaluation does not fire by what it was.
    evaluations = evaluations.filter(({ name, version }) => present(name)?.number === version)
    runs = runs.filter(({ run }) => present(run.name))
    const taken = { evaluations, runs, gone }
    await turns.take(taken, now_us)
    evaluations = evaluations.filter((each) => !taken.evaluations.includes(each))
    runs = runs.filter((each) => !taken.runs.includes(each))
  }

  async function keep(lease: Pick<Lease, 'isHeld' | 'end'>, stopped: AbortSignal): Promise<void> {
    const leaving = new AbortController()
    const signal = AbortSignal.any([stopped, leaving.signal])
    let [looked, followed, turned] = [0, 0, 0]
    let asked: readonly AskedRun[] = []
    let mayBeAsked = true
    let gone: string[] = []
    let agenda: Agenda | undefined
    try {
      await turns.load()
      agenda = openAgenda()
      while (!stopped.aborted && lease.isHeld()) {
        const now_us = clock.now_us()
        if (Math.abs(now_us - followed) >= follow_us) {
          if (leases) await turns.check()
          mayBeAsked ||= hasSchedules()
          asked = mayBeAsked ? await store.asked(now_us - day_us) : []
          mayBeAsked = asked.length > 0 || hasSchedules()
          followed = now_us
        }
        if (Math.abs(now_us - looked) >= look_us) {
          const watches = look(agenda, now_us, asked)
          asked = []
          await askBegins()
          gone = turns.gone((name) => watches.has(name))
          looked = now_us
        }
        beginSome(signal)
        const hasEnded = evaluations.length + runs.length > 0
        if ((hasEnded || gone.length > 0) && Math.abs(now_us - turned) >= turn_us) {
          await turn(gone, now_us)
          gone = []
          turned = now_us
        }
        await clock.sleep(waiting.size + running.size > 0 || hasEnded ? tick_ms : idle_ms, stopped)
      }
    } finally {
      leaving.abort()
      waiting.clear()
      doubted.clear()
      askedFor.clear()
      await agenda?.close()
      await Promise.all(running.values())
      await lease.end()
    }
  }

  function hasSchedules(): boolean {
    for (const { question } of kept()) if (question.schedule.length > 0) return true
    return false
  }

  return {
    /** Works until it is asked to stop. */
    async run(stopped: AbortSignal): Promise<void> {
      while (!stopped.aborted) {
        try {
          const lease = leases ? await leases.tryTake('watches') : alone
          if (lease) await keep(lease, stopped)
          else await clock.sleep(again_ms, stopped)
        } catch (error) {
          if (stopped.aborted) return
          if (error instanceof Superseded) logger.warn('another process evaluates watches, leaving them to that one')
          else logger.error({ err: error }, 'watches not evaluated, retrying')
          await clock.sleep(again_ms, stopped)
        }
      }
    },
  }
}

export type Keeper = ReturnType<typeof createKeeper>
