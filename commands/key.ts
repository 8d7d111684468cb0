import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createKeyEngine } from '../activities/keys/engine.ts'
import { refuseHalfRestored } from '../infra/backup/restore-backup.ts'
import { type Config, readConfig } from '../infra/config.ts'
import { createLogger, type Logger } from '../infra/logger.ts'
import { openWorld, undecorated } from '../infra/world.ts'
import { isNobody, serviceUrl } from './asked-service.ts'

const usage = `npm run key -- --name <name> --scopes <scope>[,<scope>...] [--on <place>[,<place>...]] [--expires-s <seconds>]

Makes a key and prints it, once. Scopes: read, write, ingest, define, train, admin.
Places: schema:<name>, db:<name>, graph:<name>, bucket:<name>, saved:<name>.
It asks WEIR_URL, else the service on HOST and PORT, with ADMIN_KEY; where none runs there, and ClickHouse is embedded,
it writes into DATA_DIR.
`

type Wanted = { name: string; scopes: string[]; on?: string[]; expires_s?: number }
type Made = { readonly id: string; readonly key: string; readonly notes: readonly string[] }

/** Told to a person as it is. */
class KeyError extends Error {}

const list = (text: string): string[] => text.split(',').map((item) => item.trim())

function wantedOf(args: readonly string[]): Wanted {
  const options = { name: { type: 'string' }, scopes: { type: 'string' }, on: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], options: { ...options, 'expires-s': { type: 'string' } } })
  if (values.name === undefined || values.scopes === undefined) throw new KeyError(usage)
  return {
    name: values.name,
    scopes: list(values.scopes),
    ...(values.on !== undefined && { on: list(values.on) }),
    ...(values['expires-s'] !== undefined && { expires_s: Number(values['expires-s']) }),
  }
}

const answer = z.object({
  id: z.string().optional(),
  key: z.string().optional(),
  error: z.array(z.string()).optional(),
})

/** Undefined where no service listens. */
async function askService(url: string, wanted: Wanted): Promise<Made | undefined> {
  const { ADMIN_KEY } = process.env
  let response: Response
  try {
    response = await fetch(new URL('/keys', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(ADMIN_KEY && { 'x-api-key': ADMIN_KEY }) },
      body: JSON.stringify(wanted),
    })
  } catch (error) {
    if (isNobody(error)) return undefined
    throw new KeyError(`${url} cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { id, key, error } = answer.catch({}).parse(await response.json().catch(() => ({})))
  if (id !== undefined && key !== undefined) return { id, key, notes: error ?? [] }
  const hint = response.status === 401 ? '; set ADMIN_KEY to the one that the service was started with' : ''
  throw new KeyError(`${url} answered ${response.status}: ${error?.join('; ') ?? 'which is no answer of Weir'}${hint}`)
}

/** The data folder is this process's alone meanwhile: a service that starts beside it is refused, and the other way round. */
async function writeKey(config: Config, logger: Logger, wanted: Wanted): Promise<Made> {
  await refuseHalfRestored(config.DATA_DIR)
  const world = await openWorld(config, logger, undecorated)
  try {
    const { keys } = createKeyEngine({ config, world })
    const { record, token, notes } = keys.draft(wanted)
    await keys.add(record)
    return { id: record.id, key: token, notes }
  } finally {
    await world.close()
  }
}

async function main(): Promise<void> {
  const wanted = wantedOf(process.argv.slice(2))
  const config = readConfig(process.env)
  const url = serviceUrl(config)
  let made = await askService(url, wanted)
  if (!made && (process.env.WEIR_URL || config.CLICKHOUSE_URL !== undefined)) {
    throw new KeyError(`no Weir answers at ${url}: start one with ADMIN_KEY, or set WEIR_URL`)
  }
  made ??= await writeKey(config, createLogger('warn'), wanted)
  for (const note of made.notes) process.stderr.write(`${note}\n`)
  process.stdout.write(`${made.key}\n`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
