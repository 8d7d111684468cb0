import { InferenceSession } from 'onnxruntime-node'
import { type ModelDescription, readDescription } from '../description.ts'
import { type Guard, unguarded } from '../threads/native-gate.ts'

export type Session = {
  readonly onnx: Pick<InferenceSession, 'inputMetadata' | 'outputMetadata' | 'release'> & {
    readonly run: (
      feeds: InferenceSession.FeedsType,
      outputs: readonly string[],
    ) => Promise<InferenceSession.ReturnType>
  }
  readonly description: ModelDescription
  readonly bytes: number
}

export type SessionLimits = { readonly maxSessions: number; readonly maxBytes: number }

/** 64 sessions, together 256 MiB of model files: a session takes about twice its file. */
const sessionLimits: SessionLimits = { maxSessions: 64, maxBytes: 256 * 1024 * 1024 }

type Entry = { readonly session: Promise<Session>; bytes: number; users: number; evicted: boolean }

/** The thread that runs a model waits for it; ONNX Runtime's own threads would only take the cores from others. */
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1 } as const

export async function openSession(model: Uint8Array, guard: Guard = unguarded): Promise<Session> {
  const description = readDescription(model)
  const session = await guard(() => InferenceSession.create(model, sessionOptions))
  const onnx: Session['onnx'] = {
    get inputMetadata() {
      return session.inputMetadata
    },
    get outputMetadata() {
      return session.outputMetadata
    },
    run: (feeds, outputs) => guard(() => session.run(feeds, outputs)),
    release: () => guard(() => session.release()),
  }
  return { onnx, description, bytes: model.byteLength }
}

/**
 * Sessions by the key of a model's version: a new version is another key. The longest unused ones are given up where
 * there are too many; one in use is released after its last use.
 */
export function createSessions(load: (key: string) => Promise<Uint8Array>, limits = sessionLimits) {
  const entries = new Map<string, Entry>()
  let bytes = 0

  const release = (entry: Entry) => {
    if (entry.users === 0 && entry.evicted) void entry.session.then(({ onnx }) => onnx.release()).catch(() => undefined)
  }

  const evict = (key: string, entry: Entry) => {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    bytes -= entry.bytes
    entry.evicted = true
    release(entry)
  }

  const shrink = (kept: Entry) => {
    for (const [key, entry] of entries) {
      if (entries.size <= limits.maxSessions && bytes <= limits.maxBytes) return
      if (entry !== kept) evict(key, entry)
    }
  }

  const open = (key: string): Entry => {
    const entry: Entry = { session: load(key).then(openSession), bytes: 0, users: 0, evicted: false }
    entries.set(key, entry)
    entry.session.then(
      (session) => {
        if (entry.evicted) return
        entry.bytes = session.bytes
        bytes += session.bytes
        shrink(entry)
      },
      () => evict(key, entry),
    )
    return entry
  }

  return {
    /** Opens the session where it is not open; a model that cannot be loaded is tried again at the next use. */
    use: async <Result>(key: string, run: (session: Session) => Promise<Result>): Promise<Result> => {
      const entry = entries.get(key) ?? open(key)
      entries.delete(key)
      if (!entry.evicted) entries.set(key, entry)
      entry.users += 1
      try {
        return await run(await entry.session)
      } finally {
        entry.users -= 1
        release(entry)
      }
    },
    forget: (key: string): void => {
      const entry = entries.get(key)
      if (entry !== undefined) evict(key, entry)
    },
    size: () => ({ sessions: entries.size, bytes }),
    close: (): void => {
      for (const [key, entry] of entries) evict(key, entry)
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
