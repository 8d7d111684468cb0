/** The colours of series, in order; each is a custom property of the theme. */
export const seriesColors = 8

/** `--series-1` to `--series-8`, as the theme has them now. */
export function themeColors(element: Element) {
  const style = getComputedStyle(element)
  const property = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise
  return {
    text: property('--text-soft', '#667085'),
    line: property('--line', '#e4e7ec'),
    bad: property('--bad', '#b42318'),
    series: Array.from({ length: seriesColors }, (_, index) => property(`--series-${index + 1}`, '#3b6fd4')),
  }
}

/** Calls `changed` when the theme does: by its switch, or by the system's. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', changed)
  }
}
