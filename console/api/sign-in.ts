import { call } from './client.ts'
import { knowSession, signIns } from './session.ts'

export async function readSession(): Promise<void> {
  knowSession(await call('GET /console/session'))
}

/** Throws a Refusal where the key is not good. */
export async function signIn(key: string): Promise<void> {
  await call('POST /console/session', { body: { key } })
  await readSession()
  signIns.value++
}

export async function signOut(): Promise<void> {
  await call('DELETE /console/session')
  await readSession()
}
