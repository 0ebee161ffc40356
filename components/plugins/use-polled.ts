import { useEffect, useRef, useState } from 'react'
import { httpTo } from '#components/browser/http.ts'

/** How often it is looked, in ms. */
const pace = 2000

/**
 * What an address answers, asked for again while the page is looked at. `offline`: the server does not answer; `gone`: it is
 * not there any more. Without an address it stays what it is.
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
    /** What is known from elsewhere, such as the answer of an act. */
    take: (value: T) => {
      asked.current++
      setFound({ value, offline: false, gone: false })
    }
  }
}
