const lines = '/api/v2/write'

const paths: ReadonlySet<string> = new Set([lines])

/** Whether a request is one of a vendor's client, which has its key in a place of its own. */
export const isCapture = (method: string, path: string): boolean =>
  method === 'POST' && paths.has(path.endsWith('/') ? path.slice(0, -1) : path)
