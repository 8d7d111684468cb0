import { setTimeout as after } from 'node:timers/promises'
import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { Caller } from './caller.ts'
import { createKeyring } from './keyring.ts'
import { createKeys } from './keys.ts'
import { createKeyStore } from './store.ts'

export type KeyEngineDeps = {
  readonly config: Pick<Config, 'API_KEYS' | 'ADMIN_KEY'>
  readonly world: Pick<World, 'clickhouse' | 'clock' | 'logger'> & { readonly sharing: { readonly isShared: boolean } }
}

/** Twice this is how long a key may still be good in another process after it was revoked. */
const follow_ms = 250
const writeUses_ms = 60_000

/**
 * The keys of the service. They are followed apart from the rest of the catalogue: while one process edits a schema for
 * minutes, a key that another revokes is void everywhere within a second all the same.
 */
export function createKeyEngine({ config, world }: KeyEngineDeps) {
  const { clickhouse, clock, logger, sharing } = world
  const isRequired = config.API_KEYS === 'require'
  const store = createKeyStore(clickhouse)
  const keyring = createKeyring(config.ADMIN_KEY)
  let isClosed = false
  let known = ''

  /** What is written meanwhile is read the next time. */
  async function follow(): Promise<void> {
    const now = await store.fingerprint()
    if (now === known) return
    keyring.replace(await store.all())
    known = now
  }

  async function followOn(): Promise<void> {
    while (!isClosed) {
      await after(follow_ms, undefined, { ref: false })
      await follow().catch((error: unknown) =>
        logger.warn({ err: error }, 'keys of other processes not followed, going on with those known'),
      )
    }
  }

  async function writeUses(): Promise<void> {
    const uses = keyring.takeUses()
    await store.putUses(uses).catch((error: unknown) => logger.warn({ err: error }, 'uses of keys not written'))
  }
  let writing: NodeJS.Timeout | undefined

  return {
    isRequired,
    /** Whose key it is; undefined where it is none, or is no longer good. */
    find: (token: string): Caller | undefined => keyring.find(token),
    keys: createKeys({
      store,
      keyring,
      now_us: clock.next,
      followed: async () => {
        if (sharing.isShared) await after(2 * follow_ms)
      },
    }),
    count: store.count,

    async open(): Promise<void> {
      if (!isRequired) return
      await follow()
      if (!keyring.hasAdmin()) throw new Error(howToGoOn)
      if (sharing.isShared) void followOn()
      writing = setInterval(() => void writeUses(), writeUses_ms).unref()
    },

    async close(): Promise<void> {
      isClosed = true
      clearInterval(writing)
      if (isRequired) await writeUses()
    },
  }
}

export type KeyEngine = ReturnType<typeof createKeyEngine>

const howToGoOn = [
  'API_KEYS=require, and there is no key by which anybody could make others. Set ADMIN_KEY to 32 characters or more',
  '(openssl rand -hex 32), or make a key while the service is stopped: npm run key -- --name admin --scopes admin',
].join('\n')
