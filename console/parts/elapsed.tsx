import { useEffect, useState } from 'preact/hooks'
import { formatDuration } from './format.ts'

/** How long a statement has run by now. */
export function Elapsed({ since_ms }: { readonly since_ms: number }) {
  const [now_ms, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, now_ms - since_ms) / 1000
  return seconds < 0.5 ? null : <span class="soft small">{formatDuration(seconds)}</span>
}
