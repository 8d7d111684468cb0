import { InferenceSession } from 'onnxruntime-node'
import { type ModelDescription, readDescription } from '../../learn/description.ts'
import type { KnownWords } from '../../learn/formats/format.ts'
import { knownWords } from '../../learn/onnx/known-words.ts'
import type { ModelProcesses } from '../models/process/model-processes.ts'
import { type Guard, unguarded } from '../models/process/native-gate.ts'
import type { Tensors } from '../models/process/wire.ts'

export type Session = {
  readonly onnx: {
    readonly inputMetadata: readonly InferenceSession.ValueMetadata[]
    readonly outputMetadata: readonly InferenceSession.ValueMetadata[]
    readonly run: (feeds: Tensors, outputs: readonly string[]) => Promise<Tensors>
    readonly release: () => Promise<void>
    /** Resolves when the process of a model that has its own is gone. */
    readonly ended?: Promise<void>
    readonly hasEnded?: () => boolean
  }
  readonly description: ModelDescription
  readonly bytes: number
  /** The words that training saw, where they are known. */
  readonly words: KnownWords
  /** The model's file, for threads, where it was asked for and the model is one of texts. */
  readonly file?: SharedArrayBuffer
}

export type SessionLimits = {
  readonly maxSessions: number
  readonly maxBytes: number
  /** Processes of users' models. */
  readonly maxApart?: number
}

/** 64 sessions, together 256 MiB of model files: a session takes about twice its file. */
const sessionLimits: SessionLimits = { maxSessions: 64, maxBytes: 256 * 1024 * 1024 }
const usualApart = 8

type Entry = { readonly session: Promise<Session>; bytes: number; users: number; evicted: boolean; isApart: boolean }

/** The thread that runs a model waits for it; ONNX Runtime's own threads would only take the cores from others. */
const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1 } as const

export type Opening = {
  /** Opens models that users brought in processes of their own. */
  readonly apart?: Pick<ModelProcesses, 'open'>
  /** The model's version. */
  readonly key?: string
  readonly guard?: Guard
  readonly shares?: boolean
}

/** A model that a user's script wrote never runs in this process. */
export async function openSession(
  model: Uint8Array,
  { apart, key = '', guard = unguarded, shares = false }: Opening = {},
): Promise<Session> {
  const description = readDescription(model)
  const bytes = model.byteLength
  if (isOfUser(description)) {
    if (apart === undefined) throw new Error("a user's model is opened in a process of its own alone")
    return { onnx: await apart.open(key, model), description, bytes, words: [] }
  }
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
  const words = knownWords(model, description)
  return {
    onnx,
    description,
    bytes,
    words,
    ...(shares && description.outside.length > 0 && { file: sharedCopy(model) }),
  }
}

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(bytes)
  return shared
}

/** All other algorithms' graphs are Weir's own. */
const isOfUser = ({ algorithm }: ModelDescription): boolean => algorithm === 'PY'

/**
 * Sessions by the key of a model's version: a new version is another key. The longest unused ones are given up where
 * there are too many; one in use is released after its last use.
 */
export function createSessions(
  load: (key: string) => Promise<Uint8Array>,
  { limits = sessionLimits, ...opening }: Omit<Opening, 'key'> & { readonly limits?: SessionLimits } = {},
) {
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
      if (entries.size <= limits.maxSessions && bytes <= limits.maxBytes) break
      if (entry !== kept) evict(key, entry)
    }
    let more = [...entries.values()].filter(({ isApart }) => isApart).length - (limits.maxApart ?? usualApart)
    for (const [key, entry] of entries) {
      if (more <= 0) return
      if (entry === kept || !entry.isApart) continue
      evict(key, entry)
      more -= 1
    }
  }

  const open = (key: string): Entry => {
    const session = load(key).then((model) => openSession(model, { ...opening, key }))
    const entry: Entry = { session, bytes: 0, users: 0, evicted: false, isApart: false }
    entries.set(key, entry)
    entry.session.then(
      (session) => {
        if (entry.evicted) return
        entry.bytes = session.bytes
        bytes += session.bytes
        entry.isApart = session.onnx.ended !== undefined
        void session.onnx.ended?.then(() => evict(key, entry))
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
