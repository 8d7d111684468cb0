/** The examples in the document of all calls are the ones that docs/tour.md and docs/interface.md show. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { type ExampleRequest, examplesOf, requestOf } from '../support/examples.ts'
import { matchesGolden } from '../support/golden.ts'
import { readDocument } from '../support/requests/document.ts'

type Example = { readonly type: string; readonly value: unknown }

const document = readDocument()
const pages = ['docs/tour.md', 'docs/interface.md'].map((page) => new URL(`../../${page}`, import.meta.url))
const url = 'http://127.0.0.1'

function jsonOf(text: string): Example | undefined {
  try {
    return { type: 'application/json', value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function bodyOf({ headers, body }: ExampleRequest): Example | undefined {
  if (body === undefined) return undefined
  const type = headers['Content-Type']
  const isOther = type !== undefined && type !== 'application/json'
  return isOther ? { type, value: body } : (jsonOf(body) ?? { type: 'text/plain', value: body })
}

function examples(): Record<string, { body?: Example; answer?: Example }> {
  const found: Record<string, { body?: Example; answer?: Example }> = {}
  for (const { command, answer } of pages.flatMap((page) => examplesOf(readFileSync(page, 'utf8')))) {
    const request = requestOf(command, url, `${url}/analysts`)
    const operation = document.find(request.method, new URL(request.url).pathname)
    // An answer that differs at each run is no example of one, and a refusal is no example of a call.
    const shown = /…|\.\.\.$/.test(answer) ? undefined : jsonOf(answer)
    if (operation === undefined || operation.operationId in found || answer.includes('"errcode":-')) continue
    const body = bodyOf(request)
    found[operation.operationId] = { ...(body && { body }), ...(shown && { answer: shown }) }
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

test('the examples are those of the tour, and of docs/interface.md where it has none', (t) => {
  const file = new URL('../../api/document/examples.json', import.meta.url)
  matchesGolden(t, `${JSON.stringify(examples(), undefined, 2)}\n`, file)
})

test('each example is as the document says that requests and answers are', (t) => {
  let checked = 0
  for (const { operationId, requestBody, responses } of document.operations) {
    for (const content of [requestBody?.content, responses['200']?.content]) {
      for (const [type, { schema, example }] of Object.entries(content ?? {})) {
        if (example === undefined) continue
        t.is(document.problemOf(schema, example), undefined, `${operationId}: ${type}`)
        checked++
      }
    }
  }
  t.true(checked > 60, `${checked}`)
})
