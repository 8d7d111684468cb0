const fatal = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'] as const

/**
 * Lets the process end at once when it must. The engine, at its start, takes such signals for reporters that it does not
 * have when it is embedded: a process whose heap is full, say, would stand for ever, and nobody would start it anew.
 */
export function endAtFatalSignals(): void {
  // Whoever listens last and leaves, leaves what the system does by itself.
  for (const signal of fatal) process.once(signal, leave).off(signal, leave)
}

const leave = (): void => {}
