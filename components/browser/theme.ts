import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'
import { type Theme, themeOf } from './theme-of.ts'

export const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
] as const

const { subscribe, announce } = createObservers()

/** Sets the page's theme, and stores it in a cookie for the pages that the server renders later. */
export function setTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = `waystation.theme=${theme}; path=/; max-age=31536000; samesite=lax`
  announce()
}

/** Returns the selected theme, or undefined on the server and during hydration. */
export function useTheme(): Theme | undefined {
  return useSyncExternalStore(
    subscribe,
    () => themeOf(document.documentElement.dataset.theme),
    () => undefined
  )
}
