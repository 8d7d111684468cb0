const width = 30

/** A bar that grows in a terminal; elsewhere only its last state is printed. */
export function createProgress(title: string, total: number) {
  const started = performance.now()
  let done = 0
  const draw = (text: string): void => {
    if (process.stdout.isTTY) process.stdout.write(`\r${text}\x1b[K`)
  }

  return {
    advance(count: number): void {
      done += count
      const full = Math.round((width * done) / total)
      const rate = Math.round((1000 * done) / (performance.now() - started))
      draw(`${title} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${done}/${total}  ${rate.toLocaleString('en')}/s`)
    },
    end(summary: string): void {
      draw('')
      console.log(summary)
    },
  }
}
