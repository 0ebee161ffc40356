import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'

/** A media query that all components share, with one listener. It is created on first use, in a browser. */
function createMedia(text: string) {
  const { subscribe, announce } = createObservers()
  let query: MediaQueryList | undefined
  const matches = () => {
    if (query === undefined) {
      query = matchMedia(text)
      query.addEventListener('change', announce)
    }
    return query.matches
  }
  return { subscribe, matches }
}

const hover = createMedia('(hover: hover)')
const width = createMedia('(width >= 800px)')
const split = createMedia('(width >= 1280px)')
const onServer = () => true

/** Returns true if the user's pointer can hover. On the server, it is true. */
export const useHovers = () => useSyncExternalStore(hover.subscribe, hover.matches, onServer)

/** Returns true if the window has room for a list and a detail side by side. On the server, it is true. */
export const useSplit = () => useSyncExternalStore(split.subscribe, split.matches, onServer)

/** Returns true if the window is at least 800 px wide. On the server, it is true. */
export const useWide = () => useSyncExternalStore(width.subscribe, width.matches, onServer)
