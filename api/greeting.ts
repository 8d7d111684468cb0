import type { Config } from '../infra/config.ts'
import { release } from '../infra/version.ts'

/** Where the service answers; `analysts` is absent where nothing listens for them. */
export type Listening = {
  readonly url: string
  readonly analysts: string | undefined
  /** The command by which the service was started; absent in a clone, whose commands are npm's. */
  readonly command?: string | undefined
}

/**
 * Three lines for the person who has started the service: where it listens, whether it asks for keys, and what to do
 * next.
 */
export function greeting(config: Config, { url, analysts, command }: Listening): string {
  const port = new URL(url).port
  const [demo, key] = command === undefined ? ['npm run demo', 'npm run key --'] : [`${command} demo`, `${command} key`]
  const where = port === '18080' ? '' : `WEIR_URL=${url} `
  const sql = analysts === undefined ? '' : `, SQL for analysts at ${analysts}`
  const keys =
    config.API_KEYS === 'require'
      ? `Keys: every call needs one in x-api-key; ${key} --name me --scopes read,write makes one (docs/keys.md).`
      : 'Keys: off, so every program that reaches this address may read and write; API_KEYS=require asks for keys (docs/keys.md).'
  return [
    `Weir ${release()} is ready at ${url}${sql}; data in ${config.DATA_DIR}.`,
    keys,
    `Next: ${url} in a browser, ${where}${demo} (20,000 flights, every kind of question), docs/tour.md (by curl), or ${url}/docs (all calls).`,
    '',
  ].join('\n')
}
