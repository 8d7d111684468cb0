import { type Fault, fault } from '../../base/faults.ts'

export const missingGraph = (graph: string): Fault => fault('missing', `no graph ${JSON.stringify(graph)}`)
