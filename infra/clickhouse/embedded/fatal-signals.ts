const taken = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGSYS', 'SIGTSTP'] as const

/**
 * Lets the process end at once when it must. The engine, at its start, takes such signals for reporters that it does not
 * have when it is embedded: a process whose heap is full, say, would stand for ever, and nobody would start it anew.
 * SIGTSTP, which it takes too, is a terminal's Ctrl-Z.
 */
export function endAtFatalSignals(): void {
  // Whoever listens last and leaves, leaves what the system does by itself.
  for (const signal of taken) process.once(signal, leave).off(signal, leave)
}

const leave = (): void => {}
