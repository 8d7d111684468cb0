import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'
import type { Json } from '../../../base/json.ts'
import type { BacktestRequest } from '../../../sql/saved/requests.ts'
import { filtersAt, turnedTo } from '../../../sql/saved/turned.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Version } from '../rows.ts'
import type { Evaluate } from './evaluate.ts'
import { type Change, type Key, type Outcome, type StepRequest, step } from './states.ts'

export type BacktestDeps = { readonly evaluate: Evaluate; readonly registry: Pick<Registry, 'all'> }

/** The evaluations that are asked at once, and how long all of them may take. */
const atOnce = 4
const longest_ms = 60_000
const maxChanges = 10_000
const maxSends = 10_000
const maxProblems = 20
const maxSeries = 20

type Series = { readonly key: Key; readonly points: { readonly at: number; readonly value: Json }[] }

/** The sends that there would have been, without their texts. */
type WouldSend = Pick<Change, 'about' | 'key' | 'value' | 'at'> & { readonly state: 'firing' | 'resolved' }

/** Evaluates a watch as it would have been between two times: over the events up to each, and sends nothing. */
export function createBacktest({ evaluate, registry }: BacktestDeps) {
  return async (version: Version, watch: Watch, { from, to }: BacktestRequest, gone: AbortSignal) => {
    const { question } = version
    if (question.language !== 'sql')
      throw fault('invalid', "a question in Weir's language has no now() to turn: only SQL is tested over the past")
    const every_us = watch.every * 1_000_000
    const times = Array.from(
      { length: Math.max(0, Math.floor(to / every_us) - Math.ceil(from / every_us) + 1) },
      (_, n) => (Math.ceil(from / every_us) + n) * every_us,
    )
    // Entities have no time by which they could be turned.
    const streams = registry
      .all()
      .flatMap(({ schema }) =>
        schema.streams.flatMap(({ name, kind }) => (kind === 'entity' ? [] : [{ schema: schema.name, stream: name }])),
      )
    const late = AbortSignal.timeout(longest_ms)
    const signal = AbortSignal.any([gone, late])

    const outcomeAt = (at: number): Promise<Outcome> => {
      const sql = turnedTo(question.sql, at)
      const { filters } = filtersAt(question.sql, streams, at)
      const asked = { ...version, question: { ...question, sql } }
      return evaluate(asked, watch, signal, filters === '' ? {} : { additional_table_filters: filters })
    }

    let before: StepRequest['before'] = { alerts: new Map() }
    const changes: Change[] = []
    const sends: WouldSend[] = []
    const problems: { at: number; says: string }[] = []
    const series = new Map<string, Series>()

    function take(at: number, outcome: Outcome): void {
      const stepped = step({ before, watch, outcome, at, isSilenced: () => false })
      before = stepped
      changes.push(...stepped.changes.slice(0, maxChanges - changes.length))
      sends.push(
        ...stepped.sends
          .slice(0, maxSends - sends.length)
          .map(({ state, about, key, value }): WouldSend => ({ state, about, key, value, at })),
      )
      if (outcome.kind === 'failed') {
        if (problems.length < maxProblems) problems.push({ at, says: outcome.says })
        return
      }
      for (const [id, { key, value }] of outcome.samples) {
        const known = series.get(id) ?? (series.size < maxSeries ? { key, points: [] } : undefined)
        known?.points.push({ at, value })
        if (known) series.set(id, known)
      }
    }

    let done = 0
    try {
      for (; done < times.length; done += atOnce) {
        const some = times.slice(done, done + atOnce)
        const outcomes = await Promise.all(some.map(outcomeAt))
        some.forEach((at, n) => {
          const outcome = outcomes[n]
          if (outcome) take(at, outcome)
        })
        await sleep(0)
      }
    } catch (error) {
      if (gone.aborted || !late.aborted) throw error
    }
    const isWhole = done >= times.length
    return {
      evaluations: Math.min(done, times.length),
      from: times[0] ?? from,
      to: times[Math.min(done, times.length) - 1] ?? from,
      ...(!isWhole && { cut: `ended after ${longest_ms / 1000} s, before ${new Date(to / 1000).toISOString()}` }),
      ...{ changes, sends, problems, series: [...series.values()] },
    }
  }
}

export type Backtest = ReturnType<typeof createBacktest>
