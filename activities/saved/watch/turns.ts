import { randomUUID } from 'node:crypto'
import type { Logger } from '../../../infra/logger.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import { readyOf } from './bodies.ts'
import { samplesAllowed } from './samples.ts'
import { isSilencedBy } from './silences.ts'
import { endOf, type Outcome, type Step, step, type WatchState } from './states.ts'
import {
  type Kept,
  type Ready,
  type Receivers,
  type Run,
  type Silence,
  scheduleId,
  type Turn,
  type WatchStore,
} from './store.ts'

/** An evaluation that has ended. */
export type Evaluation = {
  readonly name: string
  readonly version: number
  readonly watch: Watch
  /** The time that it is of: a whole multiple of `every`. */
  readonly at: number
  readonly took_ms: number
  readonly outcome: Outcome
}

/** A run of a schedule that has ended, with the send that it makes. */
export type EndedRun = { readonly run: Run; readonly ready?: Ready }

/** The work that one turn takes. */
export type Work = {
  readonly evaluations: readonly Evaluation[]
  readonly runs: readonly EndedRun[]
  /** The watches that are none any more. */
  readonly gone: readonly string[]
}

export type TurnsDeps = {
  readonly isShared: boolean
  readonly store: Pick<WatchStore, 'lastTurn' | 'commit' | 'load' | 'lastRuns' | 'askedRuns' | 'silences' | 'forget'>
  readonly logger: Logger
  /** Counts times that had no evaluation. */
  readonly skipped: (times: number) => void
}

/** Times of before are due no more (docs/saved.md), and runs that were asked for before are over. */
const remembered_us = 2 * 86_400_000_000
const hour_us = 3_600_000_000

/** Another process evaluates the watches. */
export class Superseded extends Error {}

const receiversOf = ({ version, watch: { notf, format, labels } }: Evaluation): Receivers => ({
  ...{ version, format, labels },
  ...(notf !== undefined && { notf }),
})

/**
 * Takes the states of watches from evaluation to evaluation, turn by turn. A turn is one insert: the states, their
 * changes, and the sends, which the process that sends notifications reads. It is there whole or not at all; so each
 * transition is sent once, wherever a crash cuts a turn off.
 */
export function createTurns({ isShared, store, logger, skipped }: TurnsDeps) {
  /** Not the process's own name, which the one that succeeds it has too. */
  let holder = ''
  let number = 0
  let states = new Map<string, Kept>()
  let alerts = 0
  /** The latest due time of each schedule that has had a run of late. */
  let lastRuns = new Map<string, number>()
  /** Runs that were asked for and have ended, with the times at which they were asked for. */
  let askedRuns = new Map<string, number>()
  /** When runs that are over were forgotten last. */
  let forgotten = 0
  /** A turn whose insert failed, and may have happened. */
  let unsure: Turn | undefined

  function evaluated(evaluation: Evaluation, silences: readonly Silence[], turn: Mutable): void {
    const { name, watch, at, took_ms } = evaluation
    const before = turn.states.get(name) ?? states.get(name)
    // The same evaluation was written before its insert was known to have happened.
    if (before && before.at >= at) return
    const request = { before: before ?? noState, watch, at, isSilenced: isSilencedBy(silences, name) }
    const stepped = step({
      ...request,
      outcome: samplesAllowed(evaluation.outcome, alerts - (before?.alerts.size ?? 0)),
    })
    const missed = before ? Math.max(0, Math.floor((at - before.at) / (watch.every * 1_000_000)) - 1) : 0
    if (missed > 0) {
      skipped(missed)
      logger.warn({ saved: name, missed, took_ms }, 'times of a watch have passed without an evaluation')
    }
    const receivers = receiversOf(evaluation)
    put(name, at, stepped, receivers, turn)
    const { alerts: now, problem } = stepped
    const kept = { at, took_ms, skipped: (before?.skipped ?? 0) + missed, receivers, alerts: now }
    turn.states.set(name, { ...kept, ...(problem && { problem }) })
  }

  function put(
    name: string,
    at: number,
    { changes, sends }: Pick<Step, 'changes' | 'sends'>,
    to: Receivers,
    turn: Mutable,
  ): void {
    turn.changes.push(...changes.map((change) => ({ ...change, name })))
    turn.sends.push(...sends.flatMap((send) => readyOf(name, at, send, to)))
  }

  async function commit(turn: Turn): Promise<void> {
    unsure = turn
    await store.commit(turn)
    const last = isShared ? await store.lastTurn() : turn
    unsure = undefined
    if (last.number !== turn.number || last.holder !== holder) throw new Superseded()
    number = turn.number
    const gone: string[] = []
    for (const [name, kept] of turn.states) {
      alerts += (kept?.alerts.size ?? 0) - (states.get(name)?.alerts.size ?? 0)
      if (kept) states.set(name, kept)
      else if (states.delete(name)) gone.push(name)
    }
    for (const { name, part, due, isAsked } of turn.runs) {
      const id = scheduleId(name, part)
      if (isAsked) askedRuns.set(`${id}\n${due}`, due)
      else lastRuns.set(id, Math.max(due, lastRuns.get(id) ?? 0))
    }
    await store.forget(gone)
  }

  /** Each change of a schedule, and each run that is asked for, leaves an entry here. */
  function forgetRuns(now_us: number): void {
    if (Math.abs(now_us - forgotten) < hour_us) return
    forgotten = now_us
    for (const runs of [lastRuns, askedRuns])
      for (const [id, due] of runs) if (due < now_us - remembered_us) runs.delete(id)
  }

  return {
    /** Takes up where the last turn ended. */
    async load(): Promise<void> {
      unsure = undefined
      holder = randomUUID()
      number = (await store.lastTurn()).number
      states = await store.load()
      lastRuns = await store.lastRuns()
      askedRuns = new Map(
        (await store.askedRuns()).map(({ name, part, due }) => [`${scheduleId(name, part)}\n${due}`, due]),
      )
      forgotten = 0
      alerts = [...states.values()].reduce((sum, each) => sum + each.alerts.size, 0)
    },

    /** Throws `Superseded` where a turn was written that this process does not know. */
    async check(): Promise<void> {
      if (unsure === undefined && (await store.lastTurn()).number !== number) throw new Superseded()
    },

    /** The time of the last evaluation; undefined before the first. */
    lastOf: (name: string): number | undefined => states.get(name)?.at,

    /** The due time of a schedule's latest run; undefined before the first. */
    lastRunOf: (name: string, part: string): number | undefined => lastRuns.get(scheduleId(name, part)),

    /** The watches that have a state and are none any more. */
    gone: (isWatched: (name: string) => boolean): string[] => [...states.keys()].filter((name) => !isWatched(name)),

    /** Makes one turn of evaluations, runs, and watches that are gone. */
    async take({ evaluations, runs, gone }: Work, now_us: number): Promise<void> {
      forgetRuns(now_us)
      if (unsure) await commit(unsure)
      const silences = await store.silences(now_us)
      const turn: Mutable = { states: new Map(), changes: [], runs: [], sends: [] }
      for (const evaluation of evaluations) evaluated(evaluation, silences, turn)
      for (const name of gone) {
        const before = states.get(name)
        if (!before) continue
        put(name, now_us, endOf(before, now_us), before.receivers, turn)
        turn.states.set(name, undefined)
      }
      for (const { run, ready } of runs) {
        // The same run was written before its insert was known to have happened.
        const id = scheduleId(run.name, run.part)
        if (run.isAsked ? askedRuns.has(`${id}\n${run.due}`) : run.due <= (lastRuns.get(id) ?? 0)) continue
        turn.runs.push(run)
        if (ready) turn.sends.push(ready)
      }
      if (turn.states.size + turn.runs.length > 0) await commit({ number: number + 1, holder, at: now_us, ...turn })
    },
  }
}

export type Turns = ReturnType<typeof createTurns>

type Mutable = {
  readonly states: Map<string, Kept | undefined>
  readonly runs: Turn['runs'][number][]
  readonly changes: Turn['changes'][number][]
  readonly sends: Turn['sends'][number][]
}

const noState: Pick<WatchState, 'alerts' | 'problem'> = { alerts: new Map() }
