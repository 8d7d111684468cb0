import { Refusal } from '../../base/refusal.ts'
import { layoutOf, readDescription } from '../../learn/description.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import type { Source } from '../../learn/formats/read-rows.ts'
import { knownWords } from '../../learn/onnx/known-words.ts'
import { type Block, blockSize, cutBlocks } from './cut-blocks.ts'
import type { BlockPool } from './open-block-pool.ts'
import type { PredictedRows } from './predict-block.ts'
import type { PredictFormat } from './write-predictions.ts'

export type SourceRequest = {
  readonly source: Source
  readonly format: FormatName
  readonly considerTarget: boolean
  readonly header?: 'present' | 'absent' | undefined
  readonly output?: PredictFormat | undefined
  readonly threshold?: number | undefined
  /** The key of the model's version, and its file. */
  readonly model: string
  readonly file: Uint8Array
  /** The number of blocks that are done already: they are cut from the file, and not predicted again. */
  readonly skip?: number
  /** Called with the number of processes that the model ended over a block, as soon as that is known. */
  readonly onEnded?: (processes: number) => void
  readonly size?: number
}

export type PredictedBlock = PredictedRows &
  Pick<Block, 'index' | 'bytesRead'> & {
    /** Why the file may be meant otherwise than it is read. */
    readonly doubts: readonly string[]
  }

/** The predictions of a file of any size, block by block in order. Each thread has one block at work, and one waits. */
export async function* predictSource(request: SourceRequest, pool: BlockPool): AsyncGenerator<PredictedBlock> {
  const { source, format, considerTarget, header, output = 'lines', threshold, model, skip = 0 } = request
  const { size = blockSize, onEnded } = request
  const description = readDescription(request.file)
  const layout = layoutOf(description)
  const doubts: string[] = []
  const words = format === 'CSV' && header === undefined ? knownWords(request.file, description) : undefined
  const file = new SharedArrayBuffer(request.file.byteLength)
  new Uint8Array(file).set(request.file)
  const underWay: Promise<PredictedBlock>[] = []

  const begin = async (block: Block): Promise<PredictedBlock> => {
    const result = await pool.predict({ model, file, format, considerTarget, output, threshold, block })
    if (result.ended) onEnded?.(result.ended)
    if ('refused' in result) throw new Refusal(result.refused)
    return { ...result, index: block.index, bytesRead: block.bytesRead, doubts }
  }
  const options = {
    purpose: 'prediction',
    target: considerTarget,
    header,
    words,
    doubt: (sentence: string) => void doubts.push(sentence),
  } as const
  for await (const block of cutBlocks(source, format, layout, options, size)) {
    if (block.index < skip) continue
    const begun = begin(block)
    // A later block's failure waits for its turn, and is no unhandled rejection until then.
    begun.catch(() => undefined)
    underWay.push(begun)
    const first = underWay.length > pool.threads ? underWay.shift() : undefined
    if (first !== undefined) yield await first
  }
  for (const rest of underWay) yield await rest
}
