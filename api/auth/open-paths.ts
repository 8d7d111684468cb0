/** Open to all with GET and HEAD. */
const open = new Set(['/', '/health/live', '/health/ready', '/openapi.json'])
export const isOpen = (method: string, path: string): boolean =>
  open.has(path) && (method === 'GET' || method === 'HEAD')

/** What asks whether all is well is never too much. */
export const isProbe = (path: string): boolean => path === '/health/live' || path === '/health/ready'
