'use client'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'

/** A row of the transcript that something else points at, and where that was. */
type Marked = { row: string; from: 'bar' | 'row' } | undefined

/** Ties what shows a session otherwise (a timeline's bars) to its transcript's rows: point at one, see the other. */
export function createRowHighlight() {
  let marked: Marked
  const listeners = new Set<() => void>()
  const revealers = new Set<(row: string) => void>()
  return {
    get: () => marked,
    set: (next: Marked) => {
      if (next?.row === marked?.row && next?.from === marked?.from) return
      marked = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Takes the reader to a row. */
    reveal: (row: string) => {
      for (const show of revealers) show(row)
    },
    onReveal: (show: (row: string) => void) => {
      revealers.add(show)
      return () => void revealers.delete(show)
    }
  }
}

export type Mark = ReturnType<typeof createRowHighlight>

/** A session's own mark; parts that stand outside of one share one that nobody listens to. */
export const MarkContext = createContext<Mark>(createRowHighlight())

export const useMark = (): Mark => useContext(MarkContext)

/** Something of what is marked; redraws only when that changes. */
export function useRowHighlight<T>(select: (marked: Marked) => T): T {
  const mark = useMark()
  const get = () => select(mark.get())
  return useSyncExternalStore(mark.subscribe, get, get)
}

/** Calls `show` with the row that somebody wants to be taken to. */
export function useRowReveal(show: (row: string) => void): void {
  const mark = useMark()
  useEffect(() => mark.onReveal(show), [mark, show])
}
