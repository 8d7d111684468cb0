/** Which key the page has, and what it may do with it. */
import { signal } from '@preact/signals'

export type Scope = 'read' | 'write' | 'ingest' | 'define' | 'train' | 'admin'

export type Session = {
  readonly keys: 'required' | 'off'
  /** Null without a key. */
  readonly id: string | null
  readonly scopes: readonly Scope[]
  /** The places that the key is bound to; null for everywhere. */
  readonly on: readonly string[] | null
}

/** Undefined until the service has told. */
export const session = signal<Session | undefined>(undefined)
/** The service has refused the key, or there is none where there has to be one. */
export const asksForKey = signal(false)
/** Grows with each sign-in: what a page shows is asked for anew. */
export const signIns = signal(0)

export function knowSession(found: Session): void {
  session.value = found
  asksForKey.value = found.keys === 'required' && found.id === null
}

export function keyRefused(): void {
  asksForKey.value = true
}

export const may = (scope: Scope): boolean => {
  const scopes = session.value?.scopes ?? []
  return scopes.includes(scope) || scopes.includes('admin')
}

/** Whether the key is bound to no place. */
export const isEverywhere = (): boolean => session.value?.on === null

/** The caller's scopes, in words. */
export const scopesOf = (): string => session.value?.scopes.join(', ') || 'none'
