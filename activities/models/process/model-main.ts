// The process in which one model of a user runs, as `model-processes.ts` starts it: it opens the model that it is sent, and runs it.

import { Socket } from 'node:net'
import { InferenceSession } from 'onnxruntime-node'
import { createFrameReader, type Frame, writeFrame } from '../../../infra/subprocess/frames.ts'
import { packTensors, question, unpackTensors } from './wire.ts'

const asked = new Socket({ fd: 3, readable: true, writable: false })
const answers = new Socket({ fd: 4, readable: false, writable: true })

let session: InferenceSession | undefined

async function answer({ header, parts }: Frame): Promise<Frame> {
  const wanted = question.parse(header)
  if (wanted.kind === 'open') {
    session = await InferenceSession.create(parts[0] ?? new Uint8Array(), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    })
    return { header: { inputs: session.inputMetadata, outputs: session.outputMetadata }, parts: [] }
  }
  if (session === undefined) throw new Error('no model is open')
  const found = packTensors(await session.run(unpackTensors(wanted.feeds, parts), wanted.outputs))
  return { header: { tensors: found.headers }, parts: found.parts }
}

const read = createFrameReader(2 ** 32 - 1, (frame) => {
  void answer(frame)
    .catch((error: unknown) => ({
      header: { error: error instanceof Error ? error.message : String(error) },
      parts: [],
    }))
    .then((found) => {
      for (const piece of writeFrame(found)) answers.write(piece)
    })
})
asked.on('data', read)
asked.on('end', () => process.exit())
