import type { Config } from '../../infra/config.ts'
import { commit, version } from '../../infra/version.ts'
import { createRoutes, open, type Routes } from '../auth/routes.ts'
import type { ReadPage } from '../console/files.ts'
import { showPage, wantsHtml } from '../console/show.ts'
import * as calls from './calls.ts'

/**
 * `GET /`: the service's name, version and parts, and links to go on. It needs no key, so it shows no part's address.
 * Browsers get the console, where there is one.
 */
export function rootRoutes(config: Config, readPage: ReadPage | undefined): Routes {
  const routes = createRoutes()
  const built = commit()
  const about = { name: 'weir', version: version(), ...(built !== undefined && { commit: built }) }
  const parts = {
    clickhouse: config.CLICKHOUSE_URL === undefined ? 'embedded' : 'server',
    log: config.KAFKA_BROKERS === undefined ? 'embedded' : 'kafka',
    buckets: config.S3_ENDPOINT === undefined ? 'folder' : 's3',
    orchestration: config.TEMPORAL_ADDRESS === undefined ? 'in process' : 'temporal',
    role: config.ROLE,
    keys: config.API_KEYS === 'require' ? 'required' : 'off',
  }
  const links = {
    live: '/health/live',
    ready: '/health/ready',
    metrics: '/metrics',
    figures: '/figures',
    schemas: '/stream/list',
    databases: '/db',
    graphs: '/graph/list',
    algorithms: '/ml/algorithms',
    keys: '/keys',
    audit: '/audit',
    openapi: '/openapi.json',
    docs: '/docs',
    console: '/console',
  }

  routes.get('/', open, calls.about, async (context) => {
    if (readPage && wantsHtml(context)) {
      showPage(context, await readPage())
      return
    }
    context.vary('Accept')
    context.body = { ...about, parts, links }
  })

  return routes
}
