'use client'
import { useEffect, useRef, useState } from 'react'
import { type Connecting, createConnecting, type Target } from './connecting.ts'

/**
 * The accounts that are being connected from one place of the page. `connect` must be called in the click itself, since it
 * opens a window; of the same account it begins again.
 */
export function useConnecting(): {
  connecting: readonly Connecting[]
  connect: (target: Target) => void
} {
  const [connecting, setConnecting] = useState<readonly Connecting[]>([])
  const newest = useRef(connecting)
  newest.current = connecting
  useEffect(
    () => () => {
      for (const one of newest.current) one.stop()
    },
    []
  )
  const connect = (target: Target) => {
    const known = connecting.find(
      ({ target: { slug, sharing } }) => slug === target.slug && sharing === target.sharing
    )
    const one = known ?? createConnecting(target)
    if (known === undefined) setConnecting([...connecting, one])
    void one.connect(target.mode)
  }
  return { connecting, connect }
}
