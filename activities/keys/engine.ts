import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../infra/config.ts'
import { createLogOncePerOutage } from '../../infra/logger.ts'
import type { World } from '../../infra/world.ts'
import type { Caller } from './caller.ts'
import { createKeyring } from './keyring.ts'
import { createKeys } from './keys.ts'
import { createPageTokens } from './page-tokens.ts'
import { createKeyStore } from './store.ts'

export type KeyEngineDeps = {
  readonly config: Pick<Config, 'API_KEYS' | 'ADMIN_KEY'>
  readonly world: Pick<World, 'clickhouse' | 'logger'> & {
    readonly secrets: Pick<World['secrets'], 'tokens'>
    readonly sharing: { readonly isShared: boolean }
  }
  /** Between two writes of when keys were used. */
  readonly writeUses_ms?: number
}

/** Twice this is how long a key may still be good in another process after it was revoked. */
const follow_ms = 250

/**
 * The keys of the service. They are followed apart from the rest of the catalogue: while one process edits a schema for
 * minutes, a key that another revokes is void everywhere within a second all the same.
 */
export function createKeyEngine({ config, world, writeUses_ms = 60_000 }: KeyEngineDeps) {
  const { clickhouse, logger, sharing, secrets } = world
  const isRequired = config.API_KEYS === 'require'
  const store = createKeyStore(clickhouse)
  const keyring = createKeyring(config.ADMIN_KEY)
  const tokens = createPageTokens({ secret: secrets.tokens })
  let isClosed = false
  let known = ''

  /** A token ends by its time, and with the key that handed it out. */
  const isGoodToken = ({ token }: Caller): boolean =>
    token !== undefined && token.until_us > Date.now() * 1000 && (token.by === '' || keyring.isGood(token.by))

  /** A key that is written meanwhile is read the next time. */
  async function follow(): Promise<void> {
    const now = await store.fingerprint()
    if (now === known) return
    keyring.replace(await store.all())
    known = now
  }

  const following = createLogOncePerOutage({
    logger,
    begins: 'keys of other processes not followed, going on with those known',
    ended: 'keys of other processes followed again',
  })
  async function followOn(): Promise<void> {
    while (!isClosed) {
      await sleep(follow_ms, undefined, { ref: false })
      await following(follow)
    }
  }

  async function putUses(): Promise<void> {
    const uses = keyring.takeUses()
    try {
      await store.putUses(uses)
    } catch (error) {
      keyring.returnUses(uses)
      throw error
    }
  }
  const usesWriting = createLogOncePerOutage({
    logger,
    begins: 'uses of keys not written, retrying',
    ended: 'uses of keys written again',
  })
  const writeUses = (): Promise<void> => usesWriting(putUses)
  let writing: NodeJS.Timeout | undefined

  return {
    isRequired,
    /** Whose key it is; undefined where it is none, or is no longer good. */
    find(shown: string): Caller | undefined {
      const found = tokens.open(shown)
      if (!found) return keyring.find(shown)
      if (!isGoodToken(found)) return undefined
      // Tokens share the rate of the key that handed them out.
      const rate = keyring.rateOf(found.token?.by ?? '')
      return rate === undefined ? found : { ...found, rate }
    },
    /** Whether a caller that was found has a good key still. */
    isGood: (caller: Caller): boolean =>
      !isRequired || (caller.token ? isGoodToken(caller) : keyring.isGood(caller.by)),
    tokens,
    keys: createKeys({
      store,
      keyring,
      // Its end is compared with the computer's own time.
      now_us: () => Date.now() * 1000,
      followed: async () => {
        if (sharing.isShared) await sleep(2 * follow_ms)
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
