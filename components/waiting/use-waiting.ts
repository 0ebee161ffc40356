'use client'
import { useEffect, useState } from 'react'
import { httpTo } from '#components/session/http.ts'
import type { WaitingCall } from '#lib/protocol/waiting-call.ts'

/** What waits in the workspace, asked for every 3 s while somebody looks. Equal answers redraw nothing. */
export function useWaiting(first: readonly WaitingCall[]): readonly WaitingCall[] {
  const [calls, setCalls] = useState(first)
  useEffect(() => {
    const http = httpTo('')
    let shown = JSON.stringify(first)
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const reply = await http<{ calls: WaitingCall[] }>('GET', '/api/waiting')
      if (!reply.ok || JSON.stringify(reply.body.calls) === shown) return
      shown = JSON.stringify(reply.body.calls)
      setCalls(reply.body.calls)
    }
    const timer = setInterval(look, 3000)
    window.addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
    }
  }, [first])
  return calls
}
