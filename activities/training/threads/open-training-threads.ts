import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { openThreads, threadFile } from '../../../base/threads.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import { type ModelProcessSettings, usualModelProcess } from '../../models/process/model-processes.ts'
import { closeGate, createGate } from '../../models/process/native-gate.ts'
import { type TrainingState, trainingState } from '../../models/training-states.ts'
import { TrainingFailure } from '../refusals.ts'
import { sendFiles, type Wanted } from './files.ts'
import type { Answer, Task } from './run-task.ts'
import type { ThreadReport } from './thread-watch.ts'

/** A task without the port and the gate by which its thread is reached and stopped. */
type Asked = Task extends infer Each ? (Each extends Task ? Omit<Each, 'port' | 'gate'> : never) : never

export type Hearing = {
  /** An abort ends the thread. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  readonly progress: (fraction: number, note: string | undefined) => void
  /** The state of a training whose task is refused. */
  readonly refusedState: (state: TrainingState) => TrainingState
}

/**
 * JavaScript's heap of a thread; typed arrays, in which the data are, do not count. A thread that fills it may take the
 * process along, so data that grow in it have limits of their own, below `minHeap_mb`.
 */
const maxHeap_mb = 2048
const minHeap_mb = 1024

/** A thread gets a tenth of the processor time of the service where both have work. */
const nice = 10

/** Threads in which models are trained; `bytes` is the memory that all trainings may take together. */
export function openTrainingThreads(
  threads: number,
  bytes = Number.POSITIVE_INFINITY,
  apart: ModelProcessSettings = usualModelProcess,
) {
  const heap_mb = Math.floor(Math.min(maxHeap_mb, Math.max(minHeap_mb, bytes / 2 ** 20)))
  const pool = openThreads<Task, Answer>(threadFile('run-task', import.meta.url), {
    threads,
    heap_mb,
    nice,
    workerData: apart,
  })

  const underWay = new Map<Promise<Answer>, () => void>()

  /** A thread that is asked to end inside of ONNX Runtime ends behind it. */
  async function runInThread(task: Asked, port: MessagePort, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted()
    const gate = createGate()
    const end = new AbortController()
    const stop = (): void => {
      if (closeGate(gate)) end.abort()
    }
    signal.addEventListener('abort', stop)
    const answer = pool.run({ ...task, port, gate }, { signal: end.signal, transferList: [port, ...dataOf(task)] })
    underWay.set(answer, stop)
    try {
      return await answer
    } finally {
      underWay.delete(answer)
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    /** Runs a task; a `TrainingFailure` where the data or the parameters do not do. */
    async run(task: Asked, hearing: Hearing, files: readonly (() => Promise<Source>)[] = []): Promise<Answer> {
      const { port1, port2 } = new MessageChannel()
      let unread: { readonly error: unknown } | undefined
      const sending = sendFiles(port1, files, (error) => {
        unread ??= { error }
      })
      const hear = (report: ThreadReport | Wanted): void => {
        if ('next' in report) sending.send(report)
        else if ('line' in report) hearing.log(report.line)
        else hearing.progress(report.fraction, report.note)
      }
      port1.on('message', hear)
      try {
        const answer = await runInThread(task, port2, hearing.signal)
        if (!('refused' in answer)) return answer
        throw new TrainingFailure(hearing.refusedState(answer.state), answer.refused)
      } catch (error) {
        if (isOutOfMemory(error)) throw new TrainingFailure(trainingState.badTrainingData, outOfHeap(heap_mb))
        throw unread?.error ?? error
      } finally {
        // The answer comes another way, and may overtake the last lines.
        for (let left = receiveMessageOnPort(port1); left; left = receiveMessageOnPort(port1)) hear(left.message)
        port1.close()
        await sending.close()
      }
    },
    async close(): Promise<void> {
      for (const stop of underWay.values()) stop()
      await Promise.allSettled(underWay.keys())
      await pool.close()
    },
  }
}

export type TrainingThreads = ReturnType<typeof openTrainingThreads>

/** Data that were read for one task move into its thread. */
function dataOf(task: Asked): ArrayBuffer[] {
  if (!('prepared' in task)) return []
  const { buffer, byteLength } = task.prepared
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const outOfHeap = (heap_mb: number): string =>
  `training took more than ${heap_mb} MB of JavaScript's heap: it needs fewer or shorter rows`
