import { useEffect, useState } from 'preact/hooks'
import { call, Refusal } from '../../api/client.ts'
import { follow } from '../../api/live.ts'
import { may, scopesOf, session } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Code } from '../../parts/code.tsx'
import { Icon } from '../../parts/icon.tsx'
import { numberText } from '../../parts/number-text.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { useInAddress } from '../../state/address.ts'
import { type Example, examples } from './examples.ts'

/** From an empty service to events of one's own: a schema by one click, a command to send, the event as it comes, an answer. */
export function FirstSteps({ isEmpty }: { readonly isEmpty: boolean }) {
  const [name, setName] = useInAddress('try')
  const [refusal, setRefusal] = useState<Refusal>()
  const chosen = examples.find((example) => example.name === name)
  if (!isEmpty && !chosen) return null

  async function choose(example: Example): Promise<void> {
    setRefusal(undefined)
    try {
      await call('POST /stream', { body: example.schema })
      setName(example.name, 'push')
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
    }
  }

  return (
    <section class="card" aria-labelledby="begin">
      <header>
        <h2 id="begin" class="grow">
          {chosen ? `Try it: ${chosen.title.toLowerCase()}` : 'Nothing is here yet: begin with a schema'}
        </h2>
        {chosen && !isEmpty && (
          <button type="button" class="button quiet small" onClick={() => setName('')}>
            <Icon name="close" />
            Close
          </button>
        )}
      </header>
      <ol class="steps inside">
        <li class={chosen ? 'done' : ''}>
          <strong>{chosen ? `Schema ${chosen.name} is there` : 'Take a schema to try'}</strong>
          <div class="examples-choice">
            {(chosen ? [chosen] : examples).map((example) => (
              <button
                key={example.name}
                type="button"
                class="choice"
                aria-pressed={example === chosen}
                disabled={chosen !== undefined || !may('define')}
                onClick={() => void choose(example)}
              >
                <strong>{example.title}</strong>
                <span class="soft small">{example.says}</span>
              </button>
            ))}
          </div>
          {!may('define') && <p class="soft">A schema takes a key with the scope define; yours has {scopesOf()}.</p>}
          {!chosen && (
            <p class="soft small">
              Or write your own on <a href="/console/streams">Streams</a>, or load 20,000 real flights:{' '}
              <code>npm run demo</code>
            </p>
          )}
          <RefusalBox refusal={refusal} />
        </li>
        {chosen && <Sending key={chosen.name} example={chosen} />}
      </ol>
    </section>
  )
}

const maxShown = 5

function Sending({ example }: { readonly example: Example }) {
  const [turn, setTurn] = useState(0)
  const [arrived, setArrived] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState<Refusal>()
  const path = { schema: example.name, stream: example.stream }
  const body = JSON.stringify(example.event(turn))

  useEffect(() => {
    const gone = new AbortController()
    void follow(
      'GET /stream/{schema}/{stream}/live',
      { path: { schema: example.name, stream: example.stream }, query: { last: maxShown }, signal: gone.signal },
      {
        events: (events) => {
          const texts = events.filter(({ event }) => event === 'event').map(({ data }) => data)
          setArrived((before) => [...texts.toReversed(), ...before].slice(0, maxShown))
        },
        refused: setRefusal,
      },
    )
    return () => gone.abort()
  }, [example])

  async function send(): Promise<void> {
    setRefusal(undefined)
    try {
      await call('POST /stream/{schema}/{stream}', { path, body })
      setTurn(turn + 1)
    } catch (error) {
      if (error instanceof Refusal) setRefusal(error)
    }
  }

  const key = session.value?.keys === 'required' ? " -H 'x-api-key: YOUR KEY'" : ''
  const command = `curl ${location.origin}/stream/${example.name}/${example.stream}${key} -d '${body}'`
  return (
    <>
      <li class={arrived.length > 0 ? 'done' : ''}>
        <strong>Send an event, from a terminal or from here</strong>
        <Code text={command} />
        <div class="row">
          <button
            type="button"
            class="button main"
            disabled={!may('write') && !may('ingest')}
            onClick={() => void send()}
          >
            <Icon name="play" />
            Send this event
          </button>
        </div>
        <RefusalBox refusal={refusal} />
      </li>
      <li class={arrived.length > 0 ? 'done' : ''}>
        <strong>See it arrive</strong>
        <div aria-live="polite">
          {arrived.length === 0 ? (
            <p class="soft">Waiting for the first event…</p>
          ) : (
            <ul class="arrivals">
              {arrived.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      </li>
      <li>
        <strong>Ask</strong>
        <Code text={example.question} />
        {arrived.length > 0 && <Answered question={example.question} events={arrived[0] ?? ''} />}
        <div class="row">
          <a class="button" href={`/console/streams/${example.name}/${example.stream}`}>
            <Icon name="streams" />
            The stream
          </a>
          <a class="button" href={`/console/query?q=${encodeURIComponent(example.question)}`}>
            <Icon name="query" />
            More questions
          </a>
        </div>
      </li>
    </>
  )
}

/** The statistics of all events so far; `events` says that there are others. */
function Answered({ question, events }: { readonly question: string; readonly events: string }) {
  const { value } = useAnswer(
    (signal) => call('POST /db/{database}/query', { path: { database: 'mydb' }, body: { sql: question }, signal }),
    [question, events],
  )
  const found = aggregateIn(value)
  if (!found) return null
  return (
    <dl class="tiles" aria-live="polite">
      {(['cnt', 'avg', 'min', 'max'] as const).map((name) => (
        <div key={name} class="tile">
          <dt>{name}</dt>
          <dd>{numberText(found[name] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  )
}

function aggregateIn(answer: unknown): Readonly<Record<string, number>> | undefined {
  if (typeof answer !== 'object' || answer === null || !('rows' in answer) || !Array.isArray(answer.rows))
    return undefined
  const [row] = answer.rows
  try {
    return JSON.parse(String(row?.v)).aggr_val
  } catch {
    return undefined
  }
}
