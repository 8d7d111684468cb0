import type { FaultKind } from '../../base/faults.ts'
import type { AnyWorkflow, Workflows } from './workflow.ts'

type KeyOf<Of extends AnyWorkflow> = Parameters<Of['id']>[0]
type RequestOf<Of extends AnyWorkflow> = Parameters<Of['run']>[1]
type ResultOf<Of extends AnyWorkflow> = Awaited<ReturnType<Of['run']>>
type ProgressOf<Of extends AnyWorkflow> = Parameters<Parameters<Of['run']>[0]['report']>[0]

/** How the last run of a workflow does, or did. */
export type Run<Progress, Result> =
  /** `pulse`: the latest of an activity that is under way. */
  | { readonly state: 'running'; readonly progress?: Progress; readonly pulse?: unknown }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'cancelled' }

/**
 * The state of a run that is known without asking a worker; `reason`: why it was ended from outside, past its cleaning
 * up.
 */
export type LastRun = { readonly isRunning: boolean; readonly request: unknown; readonly reason?: string }

/** Runs workflows. Each call is a fault `unavailable` while Temporal is away. */
export type Orchestrator<Of extends Workflows> = {
  /**
   * Begins a workflow; a fault `conflict` where one of that id is under way. Once begun it comes to its end, even
   * across restarts.
   */
  start<Name extends keyof Of & string>(name: Name, request: RequestOf<Of[Name]>): Promise<void>
  /** The same, and waits for its end. */
  run<Name extends keyof Of & string>(name: Name, request: RequestOf<Of[Name]>): Promise<ResultOf<Of[Name]>>
  find<Name extends keyof Of & string>(
    name: Name,
    key: KeyOf<Of[Name]>,
  ): Promise<Run<ProgressOf<Of[Name]>, ResultOf<Of[Name]>> | undefined>
  /** The same for many keys, in their order. */
  findAll<Name extends keyof Of & string>(
    name: Name,
    keys: readonly KeyOf<Of[Name]>[],
  ): Promise<readonly (Run<ProgressOf<Of[Name]>, ResultOf<Of[Name]>> | undefined)[]>
  lastRun<Name extends keyof Of & string>(name: Name, key: KeyOf<Of[Name]>): Promise<LastRun | undefined>
  /** Asks a run to undo its work and to end; does nothing where none is under way. */
  cancel<Name extends keyof Of & string>(name: Name, key: KeyOf<Of[Name]>): Promise<void>
  /** Answers a probe. */
  ask(): Promise<OrchestrationPart>
  close(): Promise<void>
}

/** `failing`: it was never reached. */
export type OrchestrationPart = {
  readonly status: 'up' | 'down' | 'failing'
  readonly by: string
  readonly reason?: string
}

/** Faults that a repeat cannot mend. */
export const isFinal = (kind: FaultKind): boolean => kind !== 'unavailable' && kind !== 'limited' && kind !== 'late'
