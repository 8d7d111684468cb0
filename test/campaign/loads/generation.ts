import type { Random } from '../../support/random/random.ts'
import type { Finding } from '../ledger.ts'
import { createGraphs } from './graphs.ts'
import type { LoadDeps } from './load.ts'
import { createObjects } from './objects.ts'
import { createRecords } from './records.ts'
import { createRelations } from './relations.ts'
import { createStreams } from './streams.ts'
import { createTrainings } from './trainings.ts'

/** Work of one kind by so many clients, with so long a pause between two requests, milliseconds at most. */
type Clients = { readonly count: number; readonly pause_ms: number; act(random: Random): Promise<void> }

/** One of each kind of load, with names of their own: a few rounds' worth, so that comparing stays quick. */
export function createGeneration(deps: LoadDeps) {
  const streams = createStreams(deps)
  const relations = createRelations(deps)
  const loads = {
    streams,
    records: createRecords(deps),
    objects: createObjects(deps),
    graphs: createGraphs(deps),
    relations,
    trainings: createTrainings(deps),
  }
  const clients: readonly Clients[] = [
    { count: 4, pause_ms: 30, act: streams.act },
    { count: 1, pause_ms: 1500, act: streams.change },
    { count: 2, pause_ms: 60, act: loads.records.act },
    { count: 1, pause_ms: 100, act: loads.objects.act },
    { count: 2, pause_ms: 80, act: loads.graphs.act },
    { count: 2, pause_ms: 60, act: relations.act },
    // Buckets in a folder belong to one process, and another one takes up the trainings of one that was killed.
    { count: deps.asker.processes === 1 ? 1 : 0, pause_ms: 4000, act: loads.trainings.act },
  ]
  return {
    clients,
    counted: (): number => streams.counted() + relations.counted(),
    async open(): Promise<void> {
      for (const load of Object.values(loads)) await load.open()
    },
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      for (const load of Object.values(loads)) findings.push(...(await load.check()))
      return findings
    },
  }
}

export type Generation = ReturnType<typeof createGeneration>
