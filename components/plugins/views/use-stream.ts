import { jitter } from '@waystation/client'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** The waits before the stream reconnects. */
const backoff = { first: 500, longest: 15_000 }

/** The state of a stream. `refused`: the server denied access, and the stream does not reconnect. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'refused'

/**
 * Opens a stream to a plugin (003-14), and reconnects whenever it breaks. `hear` receives each message as
 * text, and `fail` receives the reason when the plugin has failed. `send` returns true if the message was sent.
 */
export function useStream(
  path: string | undefined,
  hear: (message: string) => void,
  fail: (reason: string) => void
) {
  const [state, setState] = useState<StreamState>('connecting')
  const socket = useRef<WebSocket>(undefined)
  const heard = useEffectEvent(hear)
  const failed = useEffectEvent(fail)
  useEffect(() => {
    if (path === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let over = false
    const open = () => {
      setState('connecting')
      const opened = new WebSocket(path)
      opened.binaryType = 'arraybuffer'
      socket.current = opened
      opened.onopen = () => setState('open')
      opened.onmessage = ({ data }) => {
        // The connection works, so the next reconnect starts with the shortest wait.
        failures = 0
        heard(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer))
      }
      opened.onclose = ({ code, reason }) => {
        if (over) return
        if (code === 1008) return setState('refused')
        // The reason of 1013, unavailable, is a network error.
        if (code === 1011 || code === 1013) failed(code === 1011 ? reason : '')
        setState('waiting')
        timer = setTimeout(open, jitter(backoff, failures++))
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
