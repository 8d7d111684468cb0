/**
 * `npm run reconcile [-- <schema>] [--dry | --force]`: has a running Weir compare the tables that it derived from events with them, and
 * repair it; with --dry it only looks, with --force it also lowers counts of which the events are gone.
 * Weir is found by WEIR_URL, or by HOST and PORT; ADMIN_KEY or WEIR_KEY is a key with admin where it needs one. Exits with 1 where something could not be compared.
 */
import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { serviceUrl } from './service-url.ts'

type Line = {
  schema: string
  stream: string
  table: string
  checked: number
  wrong: number
  repaired: number
  lowered?: number
}
type Answer = { errcode: number; error?: string[]; streams?: Line[] }

/** Not by `fetch`, which gives up after five minutes. */
function post(url: URL, body: string): Promise<Answer> {
  const key = process.env.WEIR_KEY || process.env.ADMIN_KEY
  const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecurely : request
    const sent = send(url, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          reject(new Error(`status ${response.statusCode}: ${text.slice(0, 200)}`))
        }
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function main(): Promise<number> {
  const url = new URL('/reconcile', serviceUrl())
  const words = process.argv.slice(2)
  const [schema] = words.filter((word) => !word.startsWith('--'))
  for (const name of ['dry', 'force']) if (words.includes(`--${name}`)) url.searchParams.set(name, '1')
  const { errcode, error = [], streams = [] } = await post(url, JSON.stringify(schema === undefined ? {} : { schema }))
  if (errcode !== 0) {
    console.error(error.join('\n'))
    return 1
  }
  const rows = streams.map(({ schema, stream, ...rest }) => ({ stream: `${schema}.${stream}`, ...rest }))
  if (rows.length > 0) console.table(rows)
  const wrong = rows.reduce((sum, row) => sum + row.wrong, 0)
  if (words.includes('--dry')) {
    console.log(wrong === 0 ? 'Everything fits its events.' : `${wrong} keys are wrong; nothing was changed.`)
    return 0
  }
  const repaired = rows.reduce((sum, row) => sum + row.repaired, 0)
  console.log(
    repaired === 0 ? 'Everything fits its events.' : `Repaired ${repaired} keys; now everything fits its events.`,
  )
  return 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(
      error instanceof Error && error.message !== '' ? error.message : `Weir cannot be reached: ${String(error)}`,
    )
    process.exitCode = 1
  },
)
