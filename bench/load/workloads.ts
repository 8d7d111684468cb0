import { visits } from '../shop/visits.ts'
import { orders, type Workload } from './workload.ts'

/** By name, for what crosses from one process to another. */
export const workloads: Readonly<Record<'orders' | 'visits', Workload>> = { orders, visits }

export type WorkloadName = keyof typeof workloads
