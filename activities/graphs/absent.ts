import { type Fault, fault } from '../../infra/faults.ts'

export const missingGraph = (graph: string): Fault => fault('missing', `no graph ${JSON.stringify(graph)}`)
