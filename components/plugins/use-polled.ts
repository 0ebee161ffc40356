import { useEffect, useRef, useState } from 'react'
import { httpTo } from '#components/browser/http.ts'

/** The polling interval, in ms. */
const pace = 2000

/**
 * Polls a path of the API while the page is visible. `offline`: the server does not respond. `gone`: the
 * resource no longer exists (404). Without a path, the value stays `first`.
 */
export function usePolled<T>(path: string | undefined, first: T) {
  const [found, setFound] = useState({ value: first, offline: false, gone: false })
  const asked = useRef(0)
  useEffect(() => {
    if (path === undefined) return
    const look = async () => {
      if (document.hidden) return
      const mine = ++asked.current
      const reply = await httpTo('')<T>('GET', path)
      if (mine !== asked.current) return
      setFound(before =>
        reply.ok
          ? { value: reply.body, offline: false, gone: false }
          : { ...before, offline: reply.lost, gone: !reply.lost && reply.status === 404 }
      )
    }
    const timer = setInterval(look, pace)
    document.addEventListener('visibilitychange', look)
    return () => {
      asked.current++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [path])
  return {
    ...found,
    /** Sets a value from another source, such as the response to an action. */
    take: (value: T) => {
      asked.current++
      setFound({ value, offline: false, gone: false })
    }
  }
}
