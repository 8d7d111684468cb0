import { useEffect, useState } from 'preact/hooks'
import type { StreamInfosAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'

/** The streams of a schema with their numbers and what is under way. The service counts each: many are asked for rarely. */
export function useInfo(schema: string) {
  const [every_ms, setEvery] = useState(5000)
  const info = useAnswer(
    (signal) => call('GET /stream/{schema}/info', { path: { schema }, query: { consistency: 'eventual' }, signal }),
    [schema],
    { every_ms },
  )
  const wanted = info.value ? paceOf(info.value) : every_ms
  useEffect(() => setEvery(wanted), [wanted])
  return info
}

function paceOf({ num_streams, streams, edit }: StreamInfosAnswer): number {
  if (num_streams > 200) return 120_000
  if (num_streams > 50) return 20_000
  const isAtWork = edit !== undefined || streams.some(({ rebuild }) => rebuild?.state === 'running')
  return isAtWork ? 1000 : 5000
}
