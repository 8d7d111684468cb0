/** The query of the page as a program asks it. A key stands in none: programs read it from their environment. */

export type Sampled = {
  readonly language: 'weir' | 'sql'
  readonly text: string
  readonly database: string
  /** `http://localhost:18080`. */
  readonly origin: string
  readonly needsKey: boolean
}

export type Samples = { readonly curl: string; readonly js: string; readonly python: string }

export function samplesOf(asked: Sampled): Samples {
  return { curl: curl(asked), js: javascript(asked), python: python(asked) }
}

const addressOf = ({ language, database, origin }: Sampled): string =>
  language === 'sql' ? `${origin}/sql` : `${origin}/db/${encodeURIComponent(database)}/query`

const bodyOf = ({ language, text }: Sampled): Record<string, string> =>
  language === 'sql' ? { sql: text, format: 'JSONEachRow' } : { sql: text }

function curl(asked: Sampled): string {
  const key = asked.needsKey ? ` -H "x-api-key: $WEIR_KEY"` : ''
  return `curl -s ${shell(addressOf(asked))}${key} -d ${shell(JSON.stringify(bodyOf(asked)))}`
}

const shell = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

function javascript(asked: Sampled): string {
  const { language, needsKey } = asked
  const headers = needsKey
    ? `{ 'content-type': 'application/json', 'x-api-key': process.env.WEIR_KEY }`
    : `{ 'content-type': 'application/json' }`
  const rows =
    language === 'sql'
      ? `const rows = (await response.text()).trim().split('\\n').filter(Boolean).map((line) => JSON.parse(line))
console.log(rows)`
      : 'console.log(await response.json())'
  return `const response = await fetch(${JSON.stringify(addressOf(asked))}, {
  method: 'POST',
  headers: ${headers},
  body: JSON.stringify(${JSON.stringify(bodyOf(asked))}),
})
if (!response.ok) throw new Error(await response.text())
${rows}
`
}

function python(asked: Sampled): string {
  const { language, needsKey } = asked
  const key = needsKey ? `    headers={"x-api-key": os.environ["WEIR_KEY"]},\n` : ''
  const imports = [...(language === 'sql' ? ['json'] : []), ...(needsKey ? ['os'] : [])].map(
    (name) => `import ${name}\n`,
  )
  const rows =
    language === 'sql'
      ? 'rows = [json.loads(line) for line in response.text.splitlines() if line]\nprint(rows)'
      : 'print(response.json())'
  return `${imports.join('')}import requests  # pip install requests

response = requests.post(
    ${JSON.stringify(addressOf(asked))},
${key}    json=${dictionary(bodyOf(asked))},
)
response.raise_for_status()
${rows}
`
}

/** JSON's texts are texts of Python, too: neither has escapes that the other lacks. */
const dictionary = (body: Readonly<Record<string, string>>): string =>
  `{${Object.entries(body)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(', ')}}`
