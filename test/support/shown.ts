import type { ExecutionContext } from 'ava'
import { commandsOf, type Example, matches, requestOf, runExample } from './examples.ts'
import { until } from './until.ts'

/** On a busy machine the events of an example may take longer than its query waits. */
export const isLate = (answer: string): boolean => /are not in ClickHouse after/.test(answer)

export type Shown<Answer> = {
  isShown(answer: Answer): boolean
  /** Whether another answer may come of the same question. */
  mayAskAgain(answer: Answer): boolean
  readonly timeout_ms: number
}

/** Asks until the answer is the one that is shown, and returns the last; work in the background may take a while. */
export async function askUntilShown<Answer>(
  question: string,
  ask: () => Promise<Answer>,
  { isShown, mayAskAgain, timeout_ms }: Shown<Answer>,
): Promise<Answer> {
  let got = await ask()
  if (isShown(got) || !mayAskAgain(got)) return got
  const askAgain = async () => {
    got = await ask()
    return isShown(got) || !mayAskAgain(got)
  }
  await until(question, askAgain, timeout_ms).catch(() => {})
  return got
}

/** A GET, and a statement that changes nothing, may be asked again. */
const isRead = (pipe: string): boolean =>
  commandsOf(pipe)
    .filter((command) => command.startsWith('curl '))
    .every((command) => {
      const { method, body = '' } = requestOf(command, '', '')
      return method === 'GET' || /^(\{"sql":"(?:select|SELECT) |SELECT )/.test(body)
    })

type Service = { readonly url: string; readonly analysts: string }

/** Runs the examples of a page in their order; the test ends at the first answer that is not the one shown. */
export async function checkExamples(t: ExecutionContext, examples: readonly Example[], { url, analysts }: Service) {
  for (const { command, answer } of examples) {
    const ask = async () => (await runExample(command, url, analysts)).trimEnd()
    const got = await askUntilShown(command, ask, {
      isShown: (text) => matches(text, answer),
      mayAskAgain: (text) => isRead(command) || isLate(text),
      timeout_ms: 60_000,
    })
    if (!t.true(matches(got, answer), `${command}\n  shown: ${answer}\n  got:   ${got.slice(0, 2000)}`)) return
  }
}
