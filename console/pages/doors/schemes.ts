/** The schemes of signatures, as a form offers them. */
export const schemes = [
  ['github', 'GitHub'],
  ['stripe', 'Stripe'],
  ['shopify', 'Shopify'],
  ['slack', 'Slack'],
  ['standard', 'Standard Webhooks'],
  ['hmac', 'another one, by HMAC'],
] as const

export type Scheme = (typeof schemes)[number][0]

export const isScheme = (text: string): text is Scheme => schemes.some(([scheme]) => scheme === text)

export const schemeText = (scheme: Scheme): string =>
  scheme === 'hmac' ? 'HMAC' : (schemes.find(([each]) => each === scheme)?.[1] ?? scheme)
