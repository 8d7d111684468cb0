import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, Leases } from '../../infra/processes/leases.ts'
import type { Places } from '../../infra/sources/places.ts'
import { openTopic } from '../../infra/sources/topic.ts'
import { reasonOf } from '../../infra/unfinished.ts'
import type { World } from '../../infra/world.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Accept } from '../ingest/accept.ts'
import type { RefusedEvents } from '../ingest/refused-events.ts'
import type { Registry } from '../registry/registry.ts'
import { createMessageReader } from './batch.ts'
import { bringMessages } from './bring.ts'
import { createMessageDecoder } from './decode/decoder.ts'
import {
  addNote,
  firstProgress,
  forgetPlan,
  lagOf,
  moveTo,
  type Progress,
  progress as progressType,
} from './progress.ts'
import { registryOf, settingsOf } from './settings.ts'
import type { NamedSource, Sources } from './sources.ts'
import type { SourceStore } from './store.ts'
import { createMessageToEvent } from './to-event.ts'

export type KeeperDeps = Pick<World, 'clickhouse' | 'sharing' | 'metrics' | 'logger'> & {
  /** Undefined where no other process is on this ClickHouse. */
  readonly leases: Pick<Leases, 'tryTake'> | undefined
  readonly sources: () => Pick<Sources, 'find' | 'list'>
  readonly store: SourceStore
  readonly places: Pick<Places, 'get' | 'put' | 'forget'>
  /** The folder whose log remembers the batches of this process. */
  readonly home: string
  readonly accept: Accept
  readonly registry: Registry
  readonly refusedEvents: Pick<RefusedEvents, 'add'>
  /** Of one message, in bytes. */
  readonly limit: number
  /** Whether a registry may be at an internal address. */
  readonly allowsInternal: boolean
}

type Reading = { readonly abort: AbortController; readonly progress: () => Progress | undefined; ended: Promise<void> }

const alone: Lease = { number: 0, isHeld: () => true, check: () => {}, write: async () => {}, end: async () => {} }
/** How often it is looked for sources that nothing reads. */
const look_ms = 1_000
const [firstPause_ms, longestPause_ms] = [500, 10_000]
/** A reading that went well for this long has got over its failure. */
const well_ms = 30_000
const showEvery_ms = 1_000
const longestClose_ms = 5_000

/** Reads each source that is ON in one process at a time, and goes on after any failure. */
export function createKeeper(deps: KeeperDeps) {
  const { leases, sources, store, places, home, accept, registry, refusedEvents, limit, allowsInternal } = deps
  const { clickhouse, sharing, metrics, logger } = deps
  const readings = new Map<string, Reading>()
  const stop = new AbortController()
  let isOpen = false
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** The progress from which this process goes on; undefined where another folder's log has what comes next. */
  function goOnFrom(named: NamedSource, shown: Progress | undefined): Progress | undefined {
    const first = firstProgress(named, Date.now() * 1000)
    const before = shown?.run === named.run ? shown : first
    const own = before.home === home ? ownOf(named, before.serial) : undefined
    if (own) return own
    if (!before.isAhead || before.home === home) return before
    if (leases) return undefined
    // This process is alone: the folder was restored, or lost a part.
    for (const place of Object.values(before.partitions)) forgetPlan(place)
    addNote(before, 'the folder of this process is another one than before: the last second may have come twice')
    return { ...before, keys: randomBytes(8).toString('hex'), isAhead: false }
  }

  /** The progress that this process noted, where it is further than that number of changes. */
  function ownOf({ name, run }: NamedSource, serial: number): Progress | undefined {
    const text = places.get(name)
    const own = text === undefined ? undefined : progressType.parse(JSON.parse(text))
    return own?.run === run && own.home === home && own.serial > serial ? own : undefined
  }

  async function read(named: NamedSource, lease: Lease, progress: Progress, signal: AbortSignal): Promise<void> {
    const { name, source } = named
    const queue = queueName(source.into.schema, source.into.stream)
    const isPresent = (): boolean => sources().find(name)?.run === named.run
    let [shownAt, shownSerial] = [Number.NEGATIVE_INFINITY, -1]
    let committedAt = Number.NEGATIVE_INFINITY
    Object.assign(progress, { home, process: sharing.id })
    const decoder = createMessageDecoder({ format: source.format, ...registryOf(named), allowsInternal })
    const readMessages = createMessageReader({ decoder, toEvent: createMessageToEvent(source), limit })

    /** Shows the progress to all processes; it must be seen before the first batch that no other may bring. */
    async function show(isNow = false): Promise<void> {
      const isDue = performance.now() - shownAt >= showEvery_ms && progress.serial !== shownSerial
      if ((!isNow && !isDue) || !isPresent()) return
      shownAt = performance.now()
      const { serial } = progress
      try {
        await store.keep(name, progress, leases ? lease.write : clickhouse.run)
        shownSerial = serial
      } catch (error) {
        if (leases && isNow) throw error
        logger.warn({ err: error, source: name }, 'progress of a source not written, retrying')
      }
    }

    async function attempt(): Promise<void> {
      const topic = await openTopic(settingsOf(named), source.kafka.topic, logger)
      const { group } = source.kafka
      try {
        await bringMessages({
          ...{ named, topic, accept, progress, signal, check: lease.check },
          read: readMessages,
          note: () => places.put(name, JSON.stringify(progress)),
          async show(isNow) {
            await show(isNow)
            if (group === undefined || performance.now() - committedAt < showEvery_ms) return
            committedAt = performance.now()
            const offsets = Object.entries(progress.partitions).map(([id, { next }]) => [Number(id), next] as const)
            const about = `offsets of group ${group} not written: `
            const problem = await topic.commit(group, new Map(offsets)).then(() => undefined, reasonOf)
            progress.notes = progress.notes.filter((note) => !note.startsWith(about))
            if (problem !== undefined) addNote(progress, about + problem)
          },
          counted: (outcome, messages) => metrics.sourceMessages.inc({ source: name, outcome }, messages),
          refuse(reason, value) {
            metrics.eventsRefused.inc({ stream: queue })
            const found = registry.all().find(({ schema }) => schema.name === source.into.schema)
            if (found) refusedEvents.add(queue, found.gate, reason, value, { start: 0, end: value.length })
          },
        })
      } finally {
        topic.close()
      }
    }

    for (let pause_ms = firstPause_ms; !signal.aborted && lease.isHeld(); ) {
      const began = performance.now()
      try {
        await attempt()
      } catch (error) {
        if (signal.aborted || !lease.isHeld()) break
        const isNews = progress.state !== 'failing'
        if (isNews) logger.warn({ source: name, reason: reasonOf(error) }, 'source failed, retrying')
        moveTo(progress, 'failing', reasonOf(error))
        await show(isNews).catch(() => {})
        pause_ms = performance.now() - began > well_ms ? firstPause_ms : Math.min(longestPause_ms, 2 * pause_ms)
        await sleep(pause_ms, undefined, { signal }).catch(() => {})
      }
    }
    await decoder.close()
    progress.isAhead = Object.values(progress.partitions).some(({ planned }) => planned !== undefined)
    progress.serial++
    if (!lease.isHeld() || !isPresent()) return
    await places.put(name, JSON.stringify(progress))
    await show(true)
  }

  async function begin(named: NamedSource, reading: { progress?: Progress }, signal: AbortSignal): Promise<void> {
    const { name } = named
    const lease = leases ? await leases.tryTake(`source ${name}`) : alone
    if (!lease) return
    try {
      const progress = goOnFrom(named, await store.find(name))
      if (!progress || signal.aborted) return
      reading.progress = progress
      await read(named, lease, progress, signal)
    } finally {
      await lease.end()
    }
  }

  function launch(named: NamedSource): void {
    const { name } = named
    const abort = new AbortController()
    const held: { progress?: Progress } = {}
    const ended = begin(named, held, AbortSignal.any([abort.signal, stop.signal]))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) logger.warn({ err: error, source: name }, 'source not read, retrying')
      })
      .finally(() => readings.delete(name))
    readings.set(name, { abort, progress: () => held.progress, ended })
  }

  async function look(): Promise<void> {
    const left = sources()
      .list()
      .filter(({ name, on }) => on && !readings.has(name))
    if (left.length === 0) return
    const [shown, living] = leases
      ? await Promise.all([store.all(), sharing.living()])
      : [new Map<string, Progress>(), new Set<string>()]
    for (const named of left) {
      const { isAhead = false, home: its = home, run = '', process: reader = '' } = shown.get(named.name) ?? {}
      // Another process reads it, or alone knows whether its latest batch is in.
      const isOfAnother = run === named.run && (living.has(reader) || (isAhead && its !== home))
      if (!isOfAnother && !readings.has(named.name) && !stop.signal.aborted) launch(named)
    }
  }

  function lookAgain(after_ms: number): void {
    clearTimeout(timer)
    if (stop.signal.aborted || !isOpen) return
    timer = setTimeout(() => {
      looking = looking
        .then(look)
        .catch((error: unknown) => logger.warn({ err: error }, 'sources not looked for, retrying'))
        .finally(() => lookAgain(leases ? 3 * look_ms : look_ms))
    }, after_ms).unref()
  }

  async function end(name: string): Promise<void> {
    const reading = readings.get(name)
    reading?.abort.abort()
    await Promise.race([reading?.ended, sleep(longestClose_ms, undefined, { ref: false })])
  }

  return {
    /** Ends the reading by a definition that was changed, and begins the one by the new. */
    async changed(name: string): Promise<void> {
      await end(name)
      if (sources().find(name)) return lookAgain(0)
      metrics.forgetSource(name)
      await places.forget(name)
    },

    /** Forgets how far a source was that is gone. */
    async forget(name: string): Promise<void> {
      await end(name)
      await store.forget(name)
    },

    /** How far the source is that this process reads. */
    progress: (name: string): Progress | undefined => readings.get(name)?.progress(),
    /** Of the sources that this process reads. */
    failing: (): { readonly name: string; readonly reason: string }[] =>
      Array.from(readings).flatMap(([name, { progress }]) => {
        const { state, reason = '' } = progress() ?? {}
        return state === 'failing' ? [{ name, reason }] : []
      }),

    /** By source and partition, of the sources that this process reads. */
    lags: (): { readonly source: string; readonly partition: string; readonly lag: number }[] =>
      Array.from(readings, ([source, { progress }]) =>
        Object.entries(progress()?.partitions ?? {}).map(([partition, place]) => ({
          ...{ source, partition, lag: lagOf(place) },
        })),
      ).flat(),

    open(): void {
      isOpen = true
      lookAgain(0)
    },

    async close(): Promise<void> {
      clearTimeout(timer)
      stop.abort()
      const all = Promise.all([looking, ...Array.from(readings.values(), ({ ended }) => ended)])
      await Promise.race([all, sleep(longestClose_ms, undefined, { ref: false })])
    },
  }
}

export type Keeper = ReturnType<typeof createKeeper>
