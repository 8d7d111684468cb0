import type { Random } from '../../support/random/random.ts'
import type { Compare } from '../faults/flipped-byte.ts'
import type { Finding } from '../ledger.ts'
import { createBodies } from './bodies.ts'
import { createBounds } from './bounds.ts'
import { createGraphs } from './graphs.ts'
import { createHostile } from './hostile.ts'
import type { Load, LoadDeps } from './load.ts'
import { createManyStreams } from './many-streams.ts'
import { createObjects } from './objects.ts'
import { createRecords } from './records.ts'
import { createRelations } from './relations.ts'
import { createRulesLoad } from './rules.ts'
import { createSeries } from './series.ts'
import { createStreams } from './streams.ts'
import { createTrainings } from './trainings.ts'

/** Work of one kind by `count` clients, each with a pause of `pause_ms` at most between two requests. */
type Clients = { readonly count: number; readonly pause_ms: number; act(random: Random): Promise<void> }

/** Loads and their clients as one; `ofCopy` compares a copy of the service as it is now. */
function createGeneration(loads: readonly Load[], clients: readonly Clients[], ofCopy?: () => Compare) {
  return {
    clients,
    ofCopy,
    counted: (): number => loads.reduce((sum, load) => sum + (load.counted?.() ?? 0), 0),
    async open(): Promise<void> {
      for (const load of loads) await load.open()
    },
    /** Each compares one load. */
    checks: loads.map((load) => (): Promise<readonly Finding[]> => load.check()),
  }
}

export type Generation = ReturnType<typeof createGeneration>

/** Buckets in a folder belong to one process, and another one takes up the trainings of one that was killed. */
const oneWhereAlone = ({ asker }: LoadDeps): number => (asker.processes === 1 ? 1 : 0)

/** Over Kafka rules are a campaign of their own: all loads together would leave them little of the time. */
const hasRules = ({ asker, isKafka }: LoadDeps): boolean => asker.processes === 1 && !isKafka

/** Rules with memory, their bounds, and predictions from the last values. */
function memoryOf(deps: LoadDeps) {
  const rules = createRulesLoad(deps)
  const bounds = createBounds(deps)
  const series = createSeries(deps)
  // Over Kafka an event past the bound is left out and not refused, and a backup has nothing of what rules remember.
  const ofOwnLog: readonly Clients[] = [
    { count: 1, pause_ms: 2000, act: rules.backup },
    { count: 1, pause_ms: 2000, act: bounds.act },
  ]
  const loads: readonly Load[] = deps.isKafka ? [rules, series] : [rules, bounds, series]
  const clients: readonly Clients[] = [
    { count: 3, pause_ms: 60, act: rules.act },
    { count: 1, pause_ms: 1500, act: rules.change },
    ...(deps.isKafka ? [] : ofOwnLog),
    { count: 1, pause_ms: 300, act: series.act },
  ]
  return { loads, clients }
}

/** Rules with memory alone. */
export function createFleetingOfRules(deps: LoadDeps): Generation {
  const { loads, clients } = memoryOf(deps)
  return createGeneration(loads, clients)
}

/** One of each kind of load, with names of their own: a few rounds' worth, so that comparing stays quick. */
export function createFleeting(deps: LoadDeps): Generation {
  const streams = createStreams(deps)
  const bodies = createBodies(deps)
  const records = createRecords(deps)
  const objects = createObjects(deps)
  const graphs = createGraphs(deps)
  const relations = createRelations(deps)
  const trainings = createTrainings(deps)
  const memory = hasRules(deps) ? memoryOf(deps) : { loads: [], clients: [] }
  return createGeneration(
    [streams, bodies, records, objects, graphs, relations, trainings, ...memory.loads],
    [
      { count: 4, pause_ms: 30, act: streams.act },
      { count: 1, pause_ms: 1500, act: streams.change },
      { count: 2, pause_ms: 400, act: bodies.act },
      { count: 2, pause_ms: 60, act: records.act },
      { count: 1, pause_ms: 100, act: objects.act },
      { count: 2, pause_ms: 80, act: graphs.act },
      { count: 2, pause_ms: 60, act: relations.act },
      { count: oneWhereAlone(deps), pause_ms: 4000, act: trainings.act },
      ...memory.clients,
    ],
    streams.ofCopy,
  )
}

/** The loads that take long to make, which are made once and go on through all rounds. */
export function createStanding(deps: LoadDeps): Generation {
  const many = createManyStreams(deps)
  const hostile = createHostile(deps)
  return createGeneration(deps.asker.processes === 1 ? [many, hostile] : [many], [
    { count: 1, pause_ms: 200, act: many.act },
    { count: oneWhereAlone(deps), pause_ms: 400, act: hostile.act },
  ])
}
