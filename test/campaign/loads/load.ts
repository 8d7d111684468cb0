import type { Hook } from '../../support/hook.ts'
import type { Random } from '../../support/random/random.ts'
import type { Asker } from '../asking.ts'
import type { Finding, Ledger } from '../ledger.ts'

/** One kind of work for Weir, which knows what it has asked for and what must be there. */
export type Load = {
  /** Makes what its requests need; asked again until it is there. */
  open(): Promise<void>
  /** One request, or a few that belong together. */
  act(random: Random): Promise<void>
  /** The faults that are there once nothing is under way. At last it finds none, where nothing is lost or doubled. */
  check(): Promise<readonly Finding[]>
  /** Posted events that are there, by the last check: they count in usage. */
  readonly counted?: () => number
}

export type LoadDeps = {
  readonly asker: Asker
  readonly ledger: Ledger
  readonly hook: Hook
  /** Makes the names of this load other than those of all before it. */
  readonly generation: number
  /** The share of its rounds that this load has seen, that of now included: one that makes few requests makes some in each. */
  readonly lived: () => number
  /** How many streams the load of many streams has, in one process on its own log. */
  readonly streams: number
  readonly isKafka: boolean
  /** The addresses of Kafka, where that is the log. */
  readonly brokers?: string
  /** For what a load writes beside the service. */
  readonly folder: string
}
