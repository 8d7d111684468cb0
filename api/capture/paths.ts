import { segmentPaths } from '../../activities/capture/segment.ts'

/** The paths of vendors' clients, whose requests have their keys in places of their own. */
const capturePaths = {
  lines: ['/api/v2/write'],
  segment: Object.keys(segmentPaths).map((name) => `/v1/${name}`),
  postHog: ['/batch', '/capture', '/e', '/i/v0/e', '/flags', '/decide'],
  snowplow: ['/com.snowplowanalytics.snowplow/tp2'],
} as const

const paths: ReadonlySet<string> = new Set(Object.values(capturePaths).flat())

/** Whether a request is one of a vendor's client. */
export const isCapture = (method: string, path: string): boolean =>
  method === 'POST' && paths.has(path.endsWith('/') ? path.slice(0, -1) : path)
