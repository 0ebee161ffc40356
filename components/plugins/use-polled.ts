import { useEffect, useRef, useState } from 'react'
import { replyTo } from '#components/browser/reply.ts'

/** The polling interval, in ms. */
const pace = 2000

/**
 * Repeats a request while the page is visible. `offline`: the server does not respond. `gone`: the
 * resource no longer exists (404). Without a request, the value stays `first`. `read` must keep its identity.
 */
export function usePolled<T>(read: (() => Promise<T>) | undefined, first: T) {
  const [found, setFound] = useState({ value: first, offline: false, gone: false })
  const asked = useRef(0)
  useEffect(() => {
    if (read === undefined) return
    const look = async () => {
      if (document.hidden) return
      const mine = ++asked.current
      const reply = await replyTo(read())
      if (mine !== asked.current) return
      setFound(before =>
        reply.ok
          ? { value: reply.body, offline: false, gone: false }
          : { ...before, offline: reply.error.temporary, gone: reply.error.status === 404 }
      )
    }
    const timer = setInterval(look, pace)
    document.addEventListener('visibilitychange', look)
    return () => {
      asked.current++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [read])
  return {
    ...found,
    /** Sets a value from another source, such as the response to an action. */
    take: (value: T) => {
      asked.current++
      setFound({ value, offline: false, gone: false })
    }
  }
}
