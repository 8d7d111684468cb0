const taken = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGSYS', 'SIGTSTP'] as const

/**
 * Lets the process end at once at a fatal signal. The engine, at its start, takes such signals for reporters that it
 * does not have when it is embedded: a process whose heap is full, say, would hang for ever, and no supervisor would
 * start it anew. SIGTSTP, which it takes too, is a terminal's Ctrl-Z.
 */
export function endAtFatalSignals(): void {
  // Removing a signal's last listener restores the system's default action.
  for (const signal of taken) process.once(signal, leave).off(signal, leave)
}

const leave = (): void => {}
