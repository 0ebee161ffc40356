import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { createObservers } from '#components/browser/observers.ts'

/** The highlighted transcript row, and whether the pointer is on the row or on its row in the trace. */
type Marked = { row: string; from: 'bar' | 'row' } | undefined

/** Links the rows of the trace to the rows of the transcript: pointing at one highlights the other. */
export function createRowHighlight() {
  let marked: Marked
  const { subscribe, announce } = createObservers()
  const { subscribe: onReveal, announce: reveal } = createObservers<[row: string]>()
  /** The row to reveal, until a transcript shows it. */
  let wanted: string | undefined
  return {
    get: () => marked,
    set: (next: Marked) => {
      if (next?.row === marked?.row && next?.from === marked?.from) return
      marked = next
      announce()
    },
    subscribe,
    /** Asks the transcript to show a row and move the focus to it. */
    reveal: (row: string) => {
      wanted = row
      reveal(row)
    },
    onReveal: (show: (row: string) => void) => {
      const take = () => {
        if (wanted === undefined) return
        const row = wanted
        wanted = undefined
        show(row)
      }
      take()
      return onReveal(take)
    }
  }
}

/** The highlight of a session. Components outside a session share a default one that has no effect. */
export const MarkContext = createContext(createRowHighlight())

export const useMark = () => useContext(MarkContext)

/** Returns a value that `select` derives from the highlight, and rerenders only when this value changes. */
export function useRowHighlight<T>(select: (marked: Marked) => T): T {
  const mark = useMark()
  const get = () => select(mark.get())
  return useSyncExternalStore(mark.subscribe, get, get)
}

/** Calls `show` with each row that `reveal` requests. */
export function useRowReveal(show: (row: string) => void): void {
  const mark = useMark()
  useEffect(() => mark.onReveal(show), [mark, show])
}
