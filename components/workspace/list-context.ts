import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ListState, ListStore } from './list-store.ts'

export const ListContext = createContext<ListStore | null>(null)

/** Returns the store of the list. Throws outside `<Shell>`. */
export function useListStore(): ListStore {
  const store = useContext(ListContext)
  if (store === null) throw new Error('useListStore() must be called inside <Shell>')
  return store
}

/** Returns the current state of the list, and renders the component again when it changes. */
export function useList(): ListState {
  const store = useListStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
