import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const hashBytes = 32
const mostRemembered = 1_000

/** A salted scrypt hash (node's cost: N 16384, r 8, p 1; RFC 7914) as `<salt>.<hash>` in base64url. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(secret, salt, hashBytes)
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`
}

/**
 * Compares in constant time. A hash costs tens of milliseconds, so secrets that were right are remembered under a key of
 * this process.
 */
export function createSecretCheck() {
  const key = randomBytes(32)
  const right = new Map<string, Buffer>()
  const mark = (secret: string) => createHmac('sha256', key).update(secret).digest()

  return async function isSecret(secret: string, stored: string): Promise<boolean> {
    const known = right.get(stored)
    if (known && timingSafeEqual(known, mark(secret))) return true
    const [salt = '', hash = ''] = stored.split('.')
    const derived = await derive(secret, Buffer.from(salt, 'base64url'), hashBytes)
    const expected = Buffer.from(hash, 'base64url')
    if (expected.length !== hashBytes || !timingSafeEqual(derived, expected)) return false
    if (right.size >= mostRemembered) right.clear()
    right.set(stored, mark(secret))
    return true
  }
}
