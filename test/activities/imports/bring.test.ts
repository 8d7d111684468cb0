/** An import whose file gives no row for long: it shows how far it is, and can be ended. */
import { Readable } from 'node:stream'
import test from 'ava'
import { bringRows } from '../../../activities/imports/bring.ts'
import type { Progress } from '../../../activities/imports/record.ts'
import { createSource } from '../../../activities/imports/source.ts'
import { createToEvent } from '../../../activities/imports/to-event.ts'
import type { FileImport } from '../../../sql/import/definition.ts'

const piece = Buffer.from('7,x\n'.repeat(16))
const size = 1024 ** 3
/** An import that nothing ends comes to the end of its file at last. */
const longest_ms = 10_000
const from = { bucket: 'b', key: 'open.csv' }
const definition: FileImport = { from, format: 'CSV', separator: ',', into: { schema: 's', stream: 'st' } } as never

/** A CSV whose second row opens a quote that nothing closes. */
function* unclosed() {
  yield Buffer.from('n,name\n1,"')
  for (const end = performance.now() + longest_ms; performance.now() < end; ) yield piece
}

const begun: Progress = {
  ...{ state: 'running', home: '', process: '', isAhead: false, tries: 0, num_files: 1, files_done: 0 },
  ...{ bytes: size, bytes_done: 0, accepted: 0, repeated: 0, refused: 0, errors: [], notes: [] },
}

function bring(keep: (progress: Progress) => Promise<void>, signal = new AbortController().signal) {
  const objects = {
    stat: async () => ({ size, version: 'v' }),
    get: async () => ({ stream: Readable.from(unclosed()), size, version: 'v' }),
  }
  return bringRows({
    ...{ keys: 'k', definition, begun, keep, signal, counted() {}, atRest: (work) => work() },
    source: createSource(objects as never, {} as never, definition),
    toEvent: createToEvent(definition, {}),
    accept: () => Promise.reject(new Error('there is no row')),
  })
}

test('an import in a cell that nothing closes shows how far it is, and ends once its end is asked for', async (t) => {
  const cancelled = new Error('cancelled')
  const keep = async ({ bytes_done }: Progress) => {
    if (bytes_done > 0) throw cancelled
  }
  t.is(await t.throwsAsync(bring(keep)), cancelled)
})

test('an import in a cell that nothing closes ends with its process', async (t) => {
  const stop = new AbortController()
  const stopped = new Error('stopped')
  const keep = async ({ bytes_done }: Progress) => {
    if (bytes_done > 0) stop.abort(stopped)
  }
  t.is(await t.throwsAsync(bring(keep, stop.signal)), stopped)
})
