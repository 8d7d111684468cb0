import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const generatedBytes = 32

/** A secret as the Standard Webhooks convention writes it. */
export const generateSecret = (): string => prefix + randomBytes(generatedBytes).toString('base64')

/** `v1,<base64>`: HMAC-SHA256 of `id.timestamp.body` by the secret's decoded bytes (Standard Webhooks 1.0). */
export function sign(secret: string, id: string, timestamp_s: number, body: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp_s}.${body}`).digest('base64')}`
}
