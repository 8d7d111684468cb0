/** Dark or light: as the system has it, or as chosen here. */
import { computed, effect, signal } from '@preact/signals'
import { stored } from '../state/local-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const isTheme = (value: unknown): value is Theme => themes.some((each) => each === value)
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(prefersDark.matches)

export const theme = stored<Theme>('theme', 'system', isTheme)

const isDark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'))

prefersDark.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})
effect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
})
