import { useEffect } from 'react'

/**
 * Sets the title of the page, such as "(1) Waiting for you · Fetch a page", so that a background tab shows
 * pending calls. If a framework overwrites the title later, this hook sets it again. On unmount, it restores
 * the framework's title.
 */
export function usePageTitle(title: string, waiting: number): void {
  useEffect(() => {
    const wanted = waiting === 0 ? title : `(${waiting}) Waiting for you · ${title}`
    let theirs = document.title
    // Reading a title collapses its spaces, so the text to compare with is the one that was read.
    let ours: string | undefined
    const put = () => {
      if (document.title === ours) return
      theirs = document.title
      document.title = wanted
      ours = document.title
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
