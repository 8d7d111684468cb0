import { type Fault, fault } from '../../base/faults.ts'

export const missingGraph = (graph: string): Fault => fault('missing', `no graph ${JSON.stringify(graph)}`)

/** A statement makes no graph, though it may add to one. */
export const createMakesNone = (graph: string): Fault =>
  fault(
    'missing',
    `no graph ${JSON.stringify(graph)}, and CREATE makes none: POST /graph/${graph} does, or a node or triple`,
  )
