import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { FileImport } from '../../sql/import/definition.ts'
import { type FileRow, rowsOfText, type TextFormat } from './file-rows.ts'
import type { ParquetThreads } from './threads/open-parquet-threads.ts'
import { placesOf } from './to-event.ts'
import { unpacked } from './unpack.ts'

export type SourceFile = { readonly key: string; readonly size: number }
/** Rows of a file, and the bytes of it that were read so far. */
export type ReadRows = { readonly rows: readonly FileRow[]; readonly bytes: number }

/** Lists the files of an import in the order of their keys. */
export async function* filesOf(
  objects: Pick<ObjectStore, 'list' | 'stat'>,
  { from }: Pick<FileImport, 'from'>,
): AsyncGenerator<SourceFile> {
  if ('prefix' in from) return yield* objects.list(from.bucket, from.prefix)
  const info = await objects.stat(from.bucket, from.key)
  if (!info) throw missing(from.key, from.bucket)
  yield { key: from.key, size: info.size }
}

const missing = (key: string, bucket: string) => fault('missing', `there is no object ${key} in bucket ${bucket}`)

/** The files of an import and their rows. */
export function createSource(
  objects: Pick<ObjectStore, 'get' | 'list' | 'stat'>,
  parquet: Pick<ParquetThreads, 'rows'>,
  definition: FileImport,
) {
  const { from, format, separator, map, time } = definition
  const { bucket } = from
  const wanted = {
    ...(map && { columns: new Set(placesOf(definition).flatMap(columnsOf)) }),
    ...(time !== undefined && { needed: columnsOf(time) }),
  }

  async function* ofText(stream: Readable, form: TextFormat): AsyncGenerator<ReadRows> {
    let bytes = 0
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of stream) {
        bytes += chunk.length
        yield chunk
      }
    }
    for await (const rows of rowsOfText(unpacked(counted()), form, separator)) yield { rows, bytes }
  }

  async function* ofParquet(key: string, version: string, size: number, after: number): AsyncGenerator<ReadRows> {
    const slice = async (offset: number, end: number): Promise<ArrayBuffer> => {
      const length = end - offset
      if (length <= 0) return new ArrayBuffer(0)
      const object = await objects.get(bucket, key, { offset, length })
      if (!object) throw missing(key, bucket)
      if (object.version !== version) {
        object.stream.destroy()
        throw changed(key)
      }
      const bytes = await buffer(object.stream)
      return new Uint8Array(bytes).buffer
    }
    for await (const { rows, total } of parquet.rows({ bytes: size, slice }, wanted, after))
      yield { rows, bytes: Math.floor((size * (rows.at(-1)?.row ?? 0)) / Math.max(total, 1)) }
  }

  return {
    files: (): AsyncGenerator<SourceFile> => filesOf(objects, definition),

    /** The rows behind the first `after`; throws where the file is another than the one of that version. */
    async open(key: string, version: string | undefined, after: number) {
      const info = await objects.stat(bucket, key)
      if (!info) throw missing(key, bucket)
      if (version !== undefined && info.version !== version) throw changed(key)
      if (info.size === 0) return { version: info.version, rows: none(), close: () => {} }
      if (format === 'Parquet')
        return { version: info.version, rows: ofParquet(key, info.version, info.size, after), close: () => {} }
      const object = await objects.get(bucket, key)
      if (!object) throw missing(key, bucket)
      const { stream } = object
      if (version !== undefined && object.version !== version) {
        stream.destroy()
        throw changed(key)
      }
      return { version: object.version, rows: ofText(stream, format), close: () => void stream.destroy() }
    },
  }
}

async function* none(): AsyncGenerator<ReadRows> {}

/** A column by its name, and by the first step of a path into it. */
const columnsOf = (place: string): string[] => [place, place.split('.', 1)[0] ?? place]

const changed = (key: string) =>
  fault('conflict', `${key} was changed while it was imported: the rows that came before that are in the stream`)

export type Source = ReturnType<typeof createSource>
