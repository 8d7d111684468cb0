import { useRef, useState } from 'preact/hooks'
import { Refusal, Unreachable } from '../../api/client.ts'
import { DropZone } from '../../parts/drop-zone.tsx'
import { formatBytes } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { upload } from '../../parts/upload.ts'
import { keyHeaders } from './bucket-keys.ts'

type UploadsProps = { readonly bucket: string; readonly prefix: string; readonly onDone: () => void }

type Item = {
  readonly id: number
  readonly key: string
  readonly sent: number
  readonly total: number
  readonly state: 'waiting' | 'going' | 'done' | 'failed' | 'stopped'
  readonly fault?: string
}

/** Files that are put into a bucket, one after the other, each with its progress. */
export function Uploads({ bucket, prefix, onDone }: UploadsProps) {
  const [items, setItems] = useState<readonly Item[]>([])
  const last = useRef(0)
  const line = useRef<Promise<void>>(Promise.resolve())
  const stops = useRef(new Map<number, AbortController>())
  const set = (id: number, changes: Partial<Item>) =>
    setItems((all) => all.map((item) => (item.id === id ? { ...item, ...changes } : item)))

  async function put(id: number, key: string, file: File, stop: AbortController): Promise<void> {
    if (stop.signal.aborted) return
    set(id, { state: 'going' })
    try {
      await upload('PUT /brs/{bucket}/object/{key}', {
        path: { bucket, key },
        body: file,
        headers: keyHeaders(bucket),
        signal: stop.signal,
        onProgress: ({ sent }) => set(id, { sent }),
      })
      set(id, { state: 'done', sent: file.size })
      onDone()
    } catch (error) {
      if (stop.signal.aborted) set(id, { state: 'stopped' })
      else if (error instanceof Refusal) set(id, { state: 'failed', fault: error.reasons.join(' ') })
      else if (error instanceof Unreachable) set(id, { state: 'failed', fault: 'Weir does not answer; send it again' })
      else throw error
    } finally {
      stops.current.delete(id)
    }
  }

  function take(files: readonly File[]): void {
    for (const file of files) {
      const id = ++last.current
      const key = `${prefix}${file.name}`
      const stop = new AbortController()
      stops.current.set(id, stop)
      setItems((all) => [...all, { id, key, sent: 0, total: file.size, state: 'waiting' }])
      line.current = line.current.then(() => put(id, key, file, stop))
    }
  }

  function stop(id: number): void {
    stops.current.get(id)?.abort(new DOMException('stopped', 'AbortError'))
    set(id, { state: 'stopped' })
  }

  const shown = items.slice(-20)
  return (
    <section class="card" aria-label="Uploads">
      <div class="inside stack tight">
        <DropZone
          label="Choose files to upload"
          {...(prefix !== '' && { hint: `Their keys begin with ${prefix}` })}
          isMany
          onFiles={take}
        />
        {shown.length > 0 && (
          <ul class="stack tight" aria-live="polite">
            {shown.map(({ id, key, sent, total, state, fault }) => (
              <li key={id} class="row">
                <div class="grow">
                  {state === 'going' ? (
                    <Progress
                      label={key}
                      share={total === 0 ? 1 : sent / total}
                      says={`${formatBytes(sent)} of ${formatBytes(total)}`}
                    />
                  ) : (
                    <span class="row">
                      {state === 'done' && <Icon name="check" />}
                      <span class="mono object-key">{key}</span>
                      <span class={state === 'failed' ? 'badge bad' : 'badge'}>
                        {state === 'done' ? formatBytes(total) : state}
                      </span>
                      {fault !== undefined && <span class="small">{fault}</span>}
                    </span>
                  )}
                </div>
                {(state === 'going' || state === 'waiting') && (
                  <button type="button" class="button small quiet" aria-label={`Stop ${key}`} onClick={() => stop(id)}>
                    <Icon name="close" />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
