const path = /^\/hook\/[^/?]+(?:$|\?)/

/** Whether a request is a delivery to a signed webhook: its signature stands in the place of a key, and tells it from a page's. */
export const isDelivery = (method: string | undefined, address: string | undefined): boolean =>
  method === 'POST' && path.test(address ?? '')
