import { fault } from '../../base/faults.ts'
import { type Json, parseJson, writeJson } from '../../base/json.ts'
import { decodeKey } from './decode-key.ts'
import type { Keyring } from './keyring.ts'
import type { KeyRecord, KeyStore } from './store.ts'
import { createToken, digestOf } from './tokens.ts'

export type KeysDeps = {
  readonly store: KeyStore
  readonly keyring: Keyring
  readonly now_us: () => number
  /** Resolves once the other processes have had the time to follow. */
  readonly followed: () => Promise<void>
}

/** The max keys: all are in the memory of every process. */
const maxKeys = 10_000
/** The max revoked keys whose rows stay, to within a thousand. */
const maxRevoked = 10_000

const orNull = (time_us: number): number | null => (time_us === 0 ? null : time_us)

/** Makes keys, lists them and revokes them (docs/keys.md). */
export function createKeys({ store, keyring, now_us, followed }: KeysDeps) {
  return {
    /** A key that is nowhere yet; `token` is the text that its holder will show, and is kept nowhere. */
    draft(wire: Json): { readonly record: KeyRecord; readonly token: string; readonly notes: readonly string[] } {
      const { name, scopes, on, expires_s, fixed, rate, notes } = decodeKey(wire)
      const { id, token } = createToken()
      const created_us = now_us()
      const expires_us = expires_s === undefined ? 0 : created_us + expires_s * 1_000_000
      const hash = digestOf(token).toString('base64')
      const held = Object.keys(fixed).length === 0 ? '' : writeJson(fixed)
      const record = {
        id,
        name,
        hash,
        scopes,
        places: on,
        fixed: held,
        rate,
        created_us,
        expires_us,
        version: created_us,
      }
      return { token, record, notes }
    },

    async add(record: KeyRecord): Promise<void> {
      if ((await store.count()) >= maxKeys) {
        throw fault('conflict', `there are ${maxKeys} keys, which is the most; revoke those that nobody uses`)
      }
      await store.put(record)
      keyring.put(record)
      await followed()
    },

    async list() {
      const [records, uses] = [await store.all(), await store.uses()]
      const keys = records.map(({ id, name, scopes, places, fixed, rate, created_us, expires_us }) => ({
        id,
        name,
        scopes,
        on: places.length === 0 ? null : places,
        created: created_us,
        last_used: orNull(Math.max(uses.get(id) ?? 0, keyring.lastUsed_us(id))),
        expires: orNull(expires_us),
        ...(fixed !== '' && { fixed: parseJson(fixed, 'the values of the key') }),
        ...(rate > 0 && { rate }),
      }))
      return { keys, num_keys: keys.length }
    },

    async revoke(id: string): Promise<{ readonly name: string }> {
      const record = (await store.all()).find((each) => each.id === id)
      if (!record) throw fault('missing', `there is no key ${JSON.stringify(id.slice(0, 40))}; GET /keys lists them`)
      // Another process, whose clock is ahead, may have made it.
      await store.revoke({ ...record, version: Math.max(now_us(), record.version + 1) })
      keyring.remove(id)
      await followed()
      // The key is revoked whatever becomes of older ones: the next revocation tries again.
      await store.forgetRevoked(maxRevoked).catch(() => {})
      return { name: record.name }
    },
  }
}

export type Keys = ReturnType<typeof createKeys>
