/** The definition that an editor begins with: small, and with a bit of each that a newcomer wants. */
export const firstDefinition = `schema: market
streams:
  orders:
    keep: forever
    attributes:
      customer: { type: text, stats: [distinct] }
      country: { type: text, stats: [count] }
      price: { type: number, stats: [summary] }
    groups:
      - { by: [country], of: price, stats: [summary] }
`
