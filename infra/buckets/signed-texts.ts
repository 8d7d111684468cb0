import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Texts handed out to clients and taken back unchanged: `sign` and its inverse `read`. The key is this process's own. */
export function createSignedTexts(key: Buffer = randomBytes(32)) {
  const signature = (text: string): Buffer => createHmac('sha256', key).update(text).digest()

  return {
    sign: (text: string): string =>
      `${Buffer.from(text).toString('base64url')}.${signature(text).toString('base64url')}`,
    /** Undefined where it is none that was signed here. */
    read(signed: string): string | undefined {
      const [encoded = '', mark = ''] = signed.split('.')
      const text = Buffer.from(encoded, 'base64url').toString()
      const [given, expected] = [Buffer.from(mark, 'base64url'), signature(text)]
      return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
    },
  }
}
