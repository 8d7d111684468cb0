type Answer = Record<string, unknown>
/** Rows of a query's answer; the next request of the same query goes on at its cursor, where there is one. */
type Page<Row> = { readonly rows: readonly Row[]; readonly cursor?: string }

const attempts = 20
const yaml = 'application/yaml'
/** The key for a Weir that needs one. */
const key = process.env.WEIR_KEY || process.env.ADMIN_KEY || undefined

/** A failure, in words for a person. */
export class ClientError extends Error {}

/** The few calls of Weir that the examples need. */
export function createClient(url: string) {
  async function call(method: string, path: string, body?: string, type = 'application/json'): Promise<Response> {
    try {
      return await fetch(new URL(path, url), {
        method,
        headers: { 'Content-Type': type, ...(key !== undefined && { 'x-api-key': key }) },
        ...(body !== undefined && { body }),
      })
    } catch {
      throw new ClientError(`No Weir answers at ${url}. Start one with "npm start", or set WEIR_URL.`)
    }
  }

  /** Asks a service that is only late or full for now again, as Retry-After says. */
  async function ask(method: string, path: string, body?: string, type?: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const response = await call(method, path, body, type)
      if (response.ok) return (await response.json()) as Answer
      const again = response.status === 503 || response.status === 504
      if (!again || attempt === attempts) throw await refusal(response, `${method} ${path}`)
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 0.2)))
    }
  }

  return {
    get: (path: string): Promise<Answer> => ask('GET', path),
    post: (path: string, body: string): Promise<Answer> => ask('POST', path, body),
    put: (path: string, body: string): Promise<Answer> => ask('PUT', path, body),

    /** Asks a graph: a text in the graph language. */
    graph: (graph: string, text: string): Promise<Answer> => ask('POST', `/graph/${graph}/query`, text),

    /** Sends one event or record a line; all of them have to be taken. */
    async postLines(path: string, lines: readonly string[]): Promise<void> {
      const { accepted, errors } = await ask('POST', path, lines.join('\n'), 'application/x-ndjson')
      if (accepted !== lines.length) throw new ClientError(`lines were refused: ${JSON.stringify(errors)}`)
    },

    /** Answers false where it is there already. */
    async make(path: string, body: string): Promise<boolean> {
      const response = await call('POST', path, body)
      if (response.ok || response.status === 409) return response.ok
      throw await refusal(response, `POST ${path}`)
    },

    /** Registers a schema in YAML, or replaces the one of its name; its events stay. Answers whether it was new. */
    async register(schema: string): Promise<boolean> {
      const response = await call('POST', '/stream', schema, yaml)
      if (response.ok) return ((await response.json()) as Answer).error === undefined
      if (response.status !== 409) throw await refusal(response, 'POST /stream')
      await ask('PUT', '/stream', schema, yaml)
      return false
    },

    /** Answers whether it was there. */
    async remove(path: string): Promise<boolean> {
      const response = await call('DELETE', path)
      if (response.ok || response.status === 404) return response.ok
      throw await refusal(response, `DELETE ${path}`)
    },

    async count(schema: string, stream: string): Promise<number> {
      return Number((await ask('GET', `/stream/${schema}/${stream}/count`)).count)
    },

    /** All rows of a query as plain objects, page after page; with a limit its first page. */
    async rows<Row>(sql: string): Promise<Row[]> {
      const rows: Row[] = []
      for (let cursor: string | undefined; ; ) {
        const page = (await ask(
          'POST',
          '/db/mydb/query',
          JSON.stringify({ sql, rows: 'objects', cursor }),
        )) as Page<Row>
        rows.push(...page.rows)
        cursor = page.cursor
        if (cursor === undefined || /\blimit\b/i.test(sql)) return rows
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>

async function refusal(response: Response, what: string): Promise<ClientError> {
  const text = await response.text()
  return new ClientError(`${what} answered ${response.status}: ${text.slice(0, 1000)}`)
}
