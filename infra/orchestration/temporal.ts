import {
  CancelledFailure,
  Client,
  type Connection,
  TerminatedFailure,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { Fault } from '../../base/faults.ts'
import type { Logger } from '../logger.ts'
import { carry, type Tracing } from '../tracing/tracing.ts'
import type { Orchestrator } from './orchestrator.ts'
import { searchKeys, searchPairs } from './search-attributes.ts'
import type { TemporalAddress } from './temporal-address.ts'
import { createTemporalCalls } from './temporal-calls.ts'
import { openConnection } from './temporal-connection.ts'
import { asFault, asRunFault, failureOf, isUnknownMark } from './temporal-failures.ts'
import type { AnyWorkflow, Marks, Workflows } from './workflow.ts'

export type TemporalDeps<Of extends Workflows> = TemporalAddress & {
  readonly workflows: Of
  readonly logger: Logger
  readonly tracing?: Tracing | undefined
}

export const taskQueue = 'weir'

/** Workflows on a Temporal server, which may be away: calls fail then, and succeed again once it is back. */
export function createTemporal<Of extends Workflows>({
  workflows,
  logger,
  tracing,
  ...at
}: TemporalDeps<Of>): Orchestrator<Of> {
  const { address, namespace } = at
  const { connection, reason, close } = openConnection(at)
  const { workflow: client } = new Client({ connection, namespace })
  const all: Workflows = workflows

  const workflowOf = (name: string): AnyWorkflow => {
    const workflow = all[name]
    if (!workflow) throw new Error(`no workflow ${name}`)
    return workflow
  }
  const handleOf = (name: string, key: unknown) => client.getHandle(workflowOf(name).id(key))

  const { bounded, reach, glance, ask } = createTemporalCalls({ connection, namespace, address, reason })

  function startMarked(name: string, request: unknown, marks: Marks | undefined) {
    const workflow = workflowOf(name)
    return reach(() =>
      client.start(name, {
        taskQueue,
        workflowId: workflow.id(request),
        args: [request],
        memo: { request, ...(tracing && { trace: carry() }) },
        staticSummary: workflow.title(request),
        ...(marks !== undefined && { typedSearchAttributes: searchPairs(marks) }),
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    )
  }

  let registered: Promise<void> | undefined

  /** Registers the search attributes once; if that fails, the first start of a workflow logs the reason. */
  function register(): Promise<void> {
    registered ??= bounded(() => registerSearch(connection.operatorService, namespace)).catch((error) => {
      if (error instanceof Fault) registered = undefined // Temporal is away.
      notRegistered = error
    })
    return registered
  }
  let notRegistered: unknown
  let isLogged = false

  /** A namespace that knows no such search attributes runs workflows all the same: they are not found by them. */
  async function start(name: string, request: unknown) {
    await register()
    try {
      return await startMarked(name, request, workflowOf(name).marks(request))
    } catch (error) {
      if (!isUnknownMark(error)) throw error
      if (!isLogged) {
        const names = Object.values(searchKeys).map((key) => key.name)
        logger.warn(
          { err: notRegistered ?? error, namespace, names },
          'search attributes unknown to Temporal, left out',
        )
      }
      isLogged = true
      return startMarked(name, request, undefined)
    }
  }

  // A server takes some seconds to learn them.
  void register()

  const orchestrator: Orchestrator<Of> = {
    async start(name, request) {
      await start(name, request)
    },
    async run(name, request) {
      const handle = await start(name, request)
      try {
        return await handle.result()
      } catch (error) {
        throw error instanceof WorkflowFailedError ? asRunFault(error) : asFault(error, { address, reason: reason() })
      }
    },
    async find(name, key) {
      const handle = handleOf(name, key)
      try {
        const { status, raw } = await glance(() => handle.describe())
        if (status.name === 'RUNNING') {
          // While no worker is there, or the run is about to begin, its progress is unknown.
          const progress = await bounded(() => handle.query('progress')).catch(() => undefined)
          return { state: 'running', ...(progress != null && { progress }), pulse: pulseOf(raw.pendingActivities) }
        }
        return { state: 'done', result: await bounded(() => handle.result()) }
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined
        if (!(error instanceof WorkflowFailedError)) throw error
        const { type, message } = failureOf(error)
        const { cause } = error
        const isCancelled = cause instanceof CancelledFailure || cause instanceof TerminatedFailure
        return isCancelled || type === 'cancelled' ? { state: 'cancelled' } : { state: 'failed', reason: message }
      }
    },
    findAll: (name, keys) => Promise.all(keys.map((key) => orchestrator.find(name, key))),
    async lastRun(name, key) {
      const handle = handleOf(name, key)
      try {
        const { status, memo } = await glance(() => handle.describe())
        const run = { isRunning: status.name === 'RUNNING', request: memo?.request }
        if (status.name !== 'TERMINATED') return run
        const reason = await bounded(() => handle.result()).catch((error: unknown) => {
          if (error instanceof WorkflowFailedError) return error.message
          throw error
        })
        return { ...run, reason: `terminated in Temporal: ${String(reason)}` }
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined
        throw error
      }
    },
    async cancel(name, key) {
      try {
        await reach(() => handleOf(name, key).signal('cancel'))
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },
    ask,
    close,
  }
  return orchestrator
}

type OperatorService = Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>

/** Temporal's numbers for the types. */
const typeNumbers = { KEYWORD: 2, INT: 3 } as const

/** Adds the search attributes of runs that the namespace lacks. The server may take some seconds to know them. */
async function registerSearch(operator: OperatorService, namespace: string): Promise<void> {
  const { customAttributes } = await operator.listSearchAttributes({ namespace })
  const missing = Object.values(searchKeys).filter(({ name }) => customAttributes?.[name] === undefined)
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, typeNumbers[type]]))
  await operator.addSearchAttributes({ namespace, searchAttributes })
}

/** A pending activity, as far as its pulse. */
type PendingActivity = {
  readonly heartbeatDetails?:
    | { readonly payloads?: readonly { readonly data?: Uint8Array | null }[] | null }
    | null
    | undefined
}

/** The latest pulse of an activity that is under way; undefined where none has told any. */
function pulseOf(pending: readonly PendingActivity[] | null | undefined): unknown {
  for (const { heartbeatDetails } of pending ?? []) {
    const data = heartbeatDetails?.payloads?.[0]?.data
    if (data) return parsed(data)
  }
  return undefined
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'))
  } catch {
    return undefined
  }
}
