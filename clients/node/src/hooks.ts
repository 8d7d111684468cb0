import { WeirError } from './errors.ts'

type Headers = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks that the sender of a webhook has the secret (`whsec_...`), by Standard Webhooks: `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, HMAC-SHA256 over `id.timestamp.body`. `body` are the bytes as they came. A timestamp that is more
 * than five minutes away is refused: it may be one that somebody kept. Throws a WeirError, or answers the body as JSON.
 */
export async function verify(
  headers: Headers,
  body: string | Uint8Array,
  secret: string,
  now_ms = Date.now(),
): Promise<unknown> {
  const read = (name: string): string => {
    const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
    if (typeof value === 'string' && value.length <= 4_096) return value
    throw new WeirError('refused', `the webhook has no header ${name}`)
  }
  const [id, time, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  if (!(Math.abs(now_ms / 1000 - Number(time)) <= 300)) {
    throw new WeirError('refused', `the webhook's time, ${time}, is more than five minutes away`)
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (letter) => letter.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`)
  for (const each of signatures.split(' ')) {
    if (!each.startsWith('v1,')) continue
    // Compared in constant time.
    if (await crypto.subtle.verify('HMAC', key, fromBase64(each.slice(3)), signed)) return JSON.parse(text)
  }
  throw new WeirError('refused', 'the webhook has no signature by this secret')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
