/** Sends a file, and tells how far it is: `fetch` cannot say of a request how much of it has gone. */

import { type Asked, addressOf, type CallName, ownHeaders, refusalOf, Unreachable } from '../api/client.ts'
import { answered, notReached } from '../api/connection.ts'

export type UploadProgress = { readonly sent: number; readonly total: number }

export type Upload = Omit<Asked, 'body' | 'query'> & {
  readonly body: Blob
  readonly onProgress?: (progress: UploadProgress) => void
}

/** Resolves once the service has the whole body; throws a Refusal, Unreachable, or the reason of `signal`. */
export async function upload(name: CallName, asked: Upload): Promise<void> {
  const { body, headers = {}, signal, onProgress } = asked
  signal?.throwIfAborted()
  const [method = 'PUT'] = name.split(' ', 1)
  const request = new XMLHttpRequest()
  request.open(method, addressOf(name, asked))
  for (const [header, value] of Object.entries({ ...ownHeaders, ...headers })) request.setRequestHeader(header, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress?.({ sent: loaded, total })
  const stop = () => request.abort()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      request.onload = () => resolve()
      request.onerror = () => {
        notReached()
        reject(new Unreachable(new Error('the connection broke')))
      }
      request.onabort = () => reject(signal?.reason)
      request.send(body)
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  answered(request.status)
  if (request.status >= 300) throw await refusalOf(new Response(request.responseText, { status: request.status }))
}
