import { fault } from '../../base/faults.ts'
import { isObject, parseJson, writeJson } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import type { DoorCatalogue, DoorRecord } from '../../infra/catalogue/doors.ts'
import { recordFollower } from '../../infra/processes/catalogue-follower.ts'
import { decodeHook, type Hook, hookToWire, type SentHook } from '../../sql/hook/definition.ts'

export type HooksDeps = {
  readonly catalogue: DoorCatalogue
  /** Makes one change at a time, in all processes. */
  readonly exclusively: Exclusively
  readonly now_us: () => number
  /** Ends what is kept of a hook beside its definition. */
  readonly gone: (name: string) => void
}

/** A hook under its name, with its secrets, the author of its latest change and the time of that. */
export type NamedHook = {
  readonly name: string
  readonly hook: Hook
  readonly secrets: readonly string[]
  readonly at: number
  readonly author: string
}

const maxHooks = 1_000
/** Names of deleted hooks are remembered for a day. */
const gone_us = 86_400_000_000

function hookIn({ name, body, at, author }: DoorRecord): NamedHook {
  const wire = parseJson(body, 'the hook')
  if (!isObject(wire)) throw new Error(`the record of hook ${name} is no object`)
  const { secrets, ...rest } = wire
  const verify = isObject(rest.verify) ? rest.verify : {}
  const { hook, secrets: kept } = decodeHook({ ...rest, verify: { ...verify, secrets: secrets ?? null } })
  return { name, hook, secrets: kept, at, author }
}

const bodyOf = (hook: Hook, secrets: readonly string[]): string => writeJson({ ...hookToWire(hook), secrets })

export type HookChange = { readonly isNew: boolean; readonly isChanged: boolean; readonly hasNewSecrets: boolean }

/** The doors for signed webhooks; all of them are in memory (docs/doors.md). */
export function createHooks({ catalogue, exclusively, now_us, gone }: HooksDeps) {
  const hooks = new Map<string, NamedHook>()

  function follow(record: DoorRecord): void {
    if (record.state === 'live') hooks.set(record.name, hookIn(record))
    else if (hooks.delete(record.name)) gone(record.name)
  }

  const missing = (name: string) =>
    fault('missing', `there is no hook ${JSON.stringify(name.slice(0, 64))}; GET /hook lists them`)

  const follower = recordFollower({ all: catalogue.all, since: catalogue.since, clear: () => hooks.clear(), follow })

  /** The secrets of a definition: its own, or those that the hook has. */
  function secretsOf(name: string, { hook, secrets }: SentHook): readonly string[] {
    if (secrets.length > 0) return secrets
    const present = hooks.get(name)
    if (present?.hook.verify.scheme === hook.verify.scheme) return present.secrets
    throw fault('invalid', 'verify.secret: is missing: send the secret with which the sender signs')
  }

  /** The change that a definition would be; a fault where it cannot be made. */
  function wouldPut(name: string, sent: SentHook): HookChange {
    const present = hooks.get(name)
    const secrets = secretsOf(name, sent)
    if (!present && hooks.size >= maxHooks)
      throw fault('conflict', `there are ${maxHooks} hooks, which is the most; delete those that nobody sends to`)
    const hasNewSecrets = present?.secrets.join('\n') !== secrets.join('\n')
    const isChanged = !present || hasNewSecrets || bodyOf(present.hook, secrets) !== bodyOf(sent.hook, secrets)
    return { isNew: !present, isChanged, hasNewSecrets }
  }

  async function write(record: DoorRecord): Promise<void> {
    await catalogue.put(record)
    follow(record)
  }

  return {
    follower,
    find: (name: string): NamedHook | undefined => hooks.get(name),
    missing,
    list: (): NamedHook[] => [...hooks.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    /** The names of the hooks that feed a stream, or any stream of a schema. */
    feeding: (schema: string, stream?: string): string[] =>
      [...hooks.values()]
        .filter(({ hook: { into } }) => into.schema === schema && (stream === undefined || into.stream === stream))
        .map(({ name }) => name)
        .sort(),

    wouldPut,
    put: (name: string, sent: SentHook, author: string): Promise<HookChange> =>
      exclusively(async () => {
        const change = wouldPut(name, sent)
        if (!change.isChanged) return change
        const body = bodyOf(sent.hook, secretsOf(name, sent))
        await write({ name, body, author, at: now_us(), state: 'live' })
        return change
      }),

    remove: (name: string, author: string): Promise<void> =>
      exclusively(async () => {
        if (!hooks.has(name)) throw missing(name)
        const at = now_us()
        await write({ name, body: '', author, at, state: 'gone' })
        await catalogue.forgetGone(at - gone_us)
      }),
  }
}

export type Hooks = ReturnType<typeof createHooks>
