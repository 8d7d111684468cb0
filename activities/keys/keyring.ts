import { timingSafeEqual } from 'node:crypto'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import type { Caller } from './caller.ts'
import { isPlace } from './decode-key.ts'
import { isScope } from './scopes.ts'
import type { KeyRecord } from './store.ts'
import { digestOf, idIn } from './tokens.ts'

type Held = { readonly caller: Caller; readonly hash: Buffer; readonly expires_us: number }

function fixedIn(text: string): { readonly [name: string]: Json } {
  const values = parseJson(text, 'the values of the key')
  return isObject(values) ? values : {}
}

/** Stands in where a key names no id that is known, so that the answer takes as long. */
const noHash = Buffer.alloc(32)

/** The keys that are good now, in memory: each request is looked up here. */
export function createKeyring(adminKey: string | undefined) {
  const admin: Held | undefined =
    adminKey === undefined
      ? undefined
      : { caller: { by: 'ADMIN_KEY', scopes: new Set(['admin']) }, hash: digestOf(adminKey), expires_us: 0 }
  const held = new Map<string, Held>()
  /** Keys that were shown and found good: a key that is shown again need not be hashed again. */
  const shown = new Map<string, Held>()
  /** When keys were used that have not been written down since. */
  const used = new Map<string, number>()

  function recognise(token: string): Held | undefined {
    const digest = digestOf(token)
    const known = held.get(idIn(token))
    const isKnown = timingSafeEqual(digest, known?.hash ?? noHash)
    const isAdmin = timingSafeEqual(digest, admin?.hash ?? noHash)
    const found = isAdmin ? admin : isKnown ? known : undefined
    if (found) shown.set(token, found)
    return found
  }

  const put = (record: KeyRecord): void => {
    held.set(record.id, {
      caller: {
        by: record.id,
        scopes: new Set(record.scopes.filter(isScope)),
        ...(record.places.length > 0 && { on: new Set(record.places.filter(isPlace)) }),
        ...(record.fixed !== '' && { fixed: fixedIn(record.fixed) }),
        ...(record.rate > 0 && { rate: record.rate }),
      },
      hash: Buffer.from(record.hash, 'base64'),
      expires_us: record.expires_us,
    })
  }

  return {
    /** Whose key it is; undefined where it is none, or is no longer good. */
    find(token: string): Caller | undefined {
      const found = shown.get(token) ?? recognise(token)
      if (!found) return undefined
      const now_us = Date.now() * 1000
      if (found.expires_us !== 0 && found.expires_us <= now_us) return undefined
      if (found !== admin) used.set(found.caller.by, now_us)
      return found.caller
    },

    /** The rate of its own that a key has. */
    rateOf: (id: string): number | undefined => held.get(id)?.caller.rate,

    /** Whether the key that was found is good still. */
    isGood(by: string): boolean {
      const found = by === admin?.caller.by ? admin : held.get(by)
      return found !== undefined && (found.expires_us === 0 || found.expires_us > Date.now() * 1000)
    },

    put,
    remove(id: string): void {
      held.delete(id)
      shown.clear()
    },
    replace(records: readonly KeyRecord[]): void {
      held.clear()
      shown.clear()
      records.forEach(put)
    },

    hasAdmin: (): boolean =>
      admin !== undefined ||
      [...held.values()].some(
        ({ caller, expires_us }) => caller.scopes.has('admin') && (expires_us === 0 || expires_us > Date.now() * 1000),
      ),

    lastUsed_us: (id: string): number => used.get(id) ?? 0,
    /** The keys used since the last call, and when. */
    takeUses(): ReadonlyMap<string, number> {
      const uses = new Map(used)
      used.clear()
      return uses
    },
    /** Takes back uses that could not be written down; uses since then are newer. */
    returnUses(uses: ReadonlyMap<string, number>): void {
      for (const [id, used_us] of uses) if (!used.has(id)) used.set(id, used_us)
    },
  }
}

export type Keyring = ReturnType<typeof createKeyring>
