'use client'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ListState, ListStore } from './list-store.ts'

export const ListContext = createContext<ListStore | null>(null)

export function useListStore(): ListStore {
  const store = useContext(ListContext)
  if (store === null) throw new Error('useListStore() must be called inside <Shell>')
  return store
}

/** What the list knows now. */
export function useList(): ListState {
  const store = useListStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
