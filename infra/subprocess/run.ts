export type Limits = {
  readonly time_ms: number
  /** Memory of all its processes together, where the system shows it (Linux). */
  readonly memory_mb: number
  /**
   * Address space of each of its processes, by the shell's `ulimit -v`; not for programs that reserve more than they
   * use, as Node.
   */
  readonly addresses_mb?: number
  /** Writable memory of each of its processes, by `ulimit -d`: for programs that reserve more than they use. */
  readonly data_mb?: number
  /** Size of all files in its folder. */
  readonly folder_mb: number
  readonly printed_mb: number
  readonly processes: number
}

export type Run = {
  readonly command: string
  readonly arguments: readonly string[]
  /** Where the program runs, its HOME and its place for temporary files; a cage shows it as `/task`. */
  readonly folder: string
  /** Files and folders that it may read, where it is caged; else it reads all that this process may. */
  readonly readable?: readonly string[]
  /** All of the environment beside PATH, HOME, TMPDIR and LANG: nothing of ours is inherited. */
  readonly environment?: Readonly<Record<string, string>>
  readonly limits: Limits
  /** An abort ends the program at once, and the run is rejected with the signal's reason. */
  readonly signal: AbortSignal
  /** A line of stdout or stderr, as it comes. */
  readonly line: (text: string) => void
  /**
   * Called a few times a second while the program runs; an error that it throws ends the program and rejects the run.
   */
  readonly beat?: (elapsed_ms: number) => void
}

/** How a program ended: by itself, by a signal that we did not send, or by us as it broke a limit. */
export type End =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'limit'; readonly reason: string }

export type RunProgram = (run: Run) => Promise<End>
