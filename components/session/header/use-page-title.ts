'use client'
import { useEffect } from 'react'

/**
 * "(1) Waiting for you · Fetch a page": a tab in the background says that it waits. A framework around us may write the
 * title of the page it sent after we wrote ours: then ours is put back. Leaving, the title is theirs again.
 */
export function usePageTitle(title: string, waiting: number): void {
  useEffect(() => {
    const name = title || 'Untitled session'
    const wanted = waiting === 0 ? name : `(${waiting}) Waiting for you · ${name}`
    let theirs = document.title
    const put = () => {
      if (document.title === wanted) return
      theirs = document.title
      document.title = wanted
    }
    put()
    const observer = new MutationObserver(put)
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
    return () => {
      observer.disconnect()
      document.title = theirs
    }
  }, [title, waiting])
}
