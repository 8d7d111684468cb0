import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { TextField } from '../../parts/fields.tsx'

/** Schemas whose streams are suggested; any other stream can be written. */
const suggested = 50

async function streamsThere(signal: AbortSignal): Promise<readonly string[]> {
  const { schemas } = await call('GET /stream/list', { signal })
  const infos = await Promise.all(
    schemas.slice(0, suggested).map(async ({ name }) => ({
      name,
      ...(await call('GET /stream/{schema}/info', { path: { schema: name }, signal })),
    })),
  )
  return infos.flatMap(({ name: schema, streams }) =>
    streams.filter(({ type }) => type === 1).map(({ name }) => `${schema}.${name}`),
  )
}

type StreamFieldProps = { readonly value: string; readonly onInput: (value: string) => void }

/** The stream that takes the events. */
export function StreamField({ value, onInput }: StreamFieldProps) {
  const { value: streams = [] } = useAnswer(streamsThere, [])
  return (
    <TextField
      label="Into the stream"
      value={value}
      onInput={onInput}
      isRequired
      isMono
      placeholder={streams[0] ?? 'shop.orders'}
      list={streams}
    />
  )
}
