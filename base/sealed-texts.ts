import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const macBytes = 16

/**
 * Texts handed out to clients and taken back unchanged: HMAC-SHA256, cut to 16 bytes, before the text. `about` is
 * signed with it and not kept in it. Every process that has the secret opens the texts that another has sealed.
 */
export function createSeal(secret: string, encoding: 'base64' | 'base64url') {
  const sign = (text: string, about: string): Buffer =>
    createHmac('sha256', secret)
      .update(createHash('sha256').update(about).digest())
      .update(text)
      .digest()
      .subarray(0, macBytes)

  return {
    seal: (text: string, about = ''): string =>
      Buffer.concat([sign(text, about), Buffer.from(text)]).toString(encoding),
    /** Undefined where it was not sealed with this secret, about this. */
    open(sealed: string, about = ''): string | undefined {
      const bytes = Buffer.from(sealed, encoding)
      const text = bytes.subarray(macBytes).toString('utf8')
      const isGenuine =
        bytes.length > macBytes &&
        bytes.toString(encoding) === sealed &&
        timingSafeEqual(bytes.subarray(0, macBytes), sign(text, about))
      return isGenuine ? text : undefined
    },
  }
}
