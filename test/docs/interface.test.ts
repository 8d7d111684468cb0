/** docs/interface.md, every call of which is asked, and the document of all calls, which foresees the answers. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf, matches, requestOf, textOf } from '../support/examples.ts'
import { readDocument } from '../support/requests/document.ts'
import { startService } from '../support/service.ts'
import { askUntilShown, isLate } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
const document = readDocument()
const timeout_ms = 60_000

test('every example of the page gives the answer that is shown, as the document foresees it, and no call is without one', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const variables: Record<string, string> = { ID: '', NEXT: '', ASSET: '' }
  const asked = new Set<string>()
  for (const { command, answer } of examplesOf(page)) {
    const filled = Object.entries(variables).reduce(
      (text, [name, value]) => text.replaceAll(`$${name}`, value),
      command,
    )
    const { url, ...options } = requestOf(filled, service.url, '')
    const operation = document.find(options.method, new URL(url).pathname)
    if (operation === undefined) throw new Error(`the document has no ${options.method} ${url}`)
    asked.add(operation.operationId)

    const ask = async () => {
      const response = await fetch(url, options)
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, text: await textOf(response, options.isLive) }
    }
    // The page does not show an answer that goes to a file.
    const isKept = command.includes(' -o ')
    const isShown = ({ status, text }: Awaited<ReturnType<typeof ask>>) =>
      isKept ? status === 200 : matches(text.trimEnd(), answer)
    const got = await askUntilShown(command, ask, {
      isShown,
      mayAskAgain: ({ text }) => options.method === 'GET' || isLate(text),
      timeout_ms,
    })
    t.true(isShown(got), `${command}\n  shown: ${answer}\n  got:   ${got.text.slice(0, 2000)}`)
    t.is(document.problemOfAnswer(operation, got), undefined, command)

    const [, id] = /"id":"([^"]+)","key":"/.exec(got.text) ?? []
    const [, next] = /"next_key":"([^"]+)"/.exec(got.text) ?? []
    const [, asset] = /assets\/(main-\w+\.js)/.exec(got.text) ?? []
    if (asset !== undefined) variables.ASSET = asset
    Object.assign(variables, id !== undefined && { ID: id }, next !== undefined && { NEXT: next })
  }
  const left = document.operations.filter(({ operationId }) => !asked.has(operationId))
  t.deepEqual(
    left.map(({ operationId }) => operationId),
    [],
  )
})
