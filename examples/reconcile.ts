/**
 * `npm run reconcile [-- <schema>]`: has a running Weir compare the tables that it derived from events with them, and repair it.
 * Weir is found by WEIR_URL, or by HOST and PORT; ADMIN_KEY or WEIR_KEY is a key with admin where it needs one. Exits with 1 where something could not be compared.
 */
import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { serviceUrl } from './service-url.ts'

type Line = { schema: string; stream: string; table: string; checked: number; wrong: number; repaired: number }
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
  const schema = process.argv[2]
  const { errcode, error = [], streams = [] } = await post(url, JSON.stringify(schema === undefined ? {} : { schema }))
  if (errcode !== 0) {
    console.error(error.join('\n'))
    return 1
  }
  const rows = streams.map(({ schema, stream, ...rest }) => ({ stream: `${schema}.${stream}`, ...rest }))
  if (rows.length > 0) console.table(rows)
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
