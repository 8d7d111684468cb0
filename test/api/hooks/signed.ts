/** Deliveries as the documentation of their senders says that these are signed. */
import { createHmac } from 'node:crypto'

export const secrets = {
  stripe: 'whsec_a_secret_of_stripe',
  github: 'a-secret-of-github-1',
  shopify: 'a-secret-of-shopify',
  slack: '8f742231b10e8888abcd99yyyzzz85a5',
  standard: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  hmac: 'a-secret-of-nobody-else',
}

const now_s = (): number => Math.floor(Date.now() / 1000)
const mac = (secret: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(text).digest(encoding)

export type Signing = { readonly secret?: string; readonly at?: number; readonly id?: string }

/** The headers that a sender sends with a body. */
export const signed: Readonly<
  Record<keyof typeof secrets, (body: string, signing?: Signing) => Promise<Record<string, string>>>
> = {
  stripe: async (body, { secret = secrets.stripe, at = now_s() } = {}) => ({
    'stripe-signature': `t=${at},v1=${mac(secret, `${at}.${body}`, 'hex')}`,
  }),
  github: async (body, { secret = secrets.github } = {}) => ({
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${mac(secret, body, 'hex')}`,
  }),
  shopify: async (body, { secret = secrets.shopify } = {}) => ({
    'x-shopify-topic': 'orders/create',
    'x-shopify-hmac-sha256': mac(secret, body, 'base64'),
  }),
  slack: async (body, { secret = secrets.slack, at = now_s() } = {}) => ({
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${mac(secret, `v0:${at}:${body}`, 'hex')}`,
  }),
  standard: async (body, { secret = secrets.standard, at = now_s(), id = 'msg_1' } = {}) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${mac(Buffer.from(secret.slice('whsec_'.length), 'base64'), `${id}.${at}.${body}`, 'base64')}`,
  }),
  hmac: async (body, { secret = secrets.hmac, at = now_s() } = {}) => ({
    'x-time': String(at),
    'x-signature': `sha256=${mac(secret, `${at}.${body}`, 'hex')}`,
  }),
}
