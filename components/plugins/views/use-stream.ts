import { useEffect, useRef, useState } from 'react'

/** How long until it is tried again, in ms: twice as long each time. */
const pause = { first: 500, longest: 15_000 }

/** How a stream stands. `refused`: it may not be opened, and is not tried again. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'refused'

/**
 * A stream to a plugin (003-14) that is opened again whenever it breaks. `receive` gets each message as text. `send` says whether it
 * went out.
 */
export function useStream(path: string | undefined, hear: (message: string) => void) {
  const [state, setState] = useState<StreamState>('connecting')
  const socket = useRef<WebSocket>(undefined)
  const heard = useRef(hear)
  useEffect(() => {
    heard.current = hear
  })
  useEffect(() => {
    if (path === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = pause.first
    let over = false
    const open = () => {
      setState('connecting')
      const opened = new WebSocket(path)
      opened.binaryType = 'arraybuffer'
      socket.current = opened
      opened.onopen = () => setState('open')
      opened.onmessage = ({ data }) => {
        // It speaks: the next break is a new one.
        wait = pause.first
        heard.current(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer))
      }
      opened.onclose = ({ code }) => {
        if (over) return
        if (code === 1008) return setState('refused')
        setState('waiting')
        timer = setTimeout(open, wait)
        wait = Math.min(pause.longest, wait * 2)
      }
    }
    open()
    return () => {
      over = true
      clearTimeout(timer)
      socket.current?.close()
    }
  }, [path])
  return {
    state,
    send(message: string): boolean {
      if (socket.current?.readyState !== WebSocket.OPEN) return false
      socket.current.send(message)
      return true
    }
  }
}
