'use client'
import { useEffect, useRef, useState } from 'react'
import { type Connecting, createConnecting, type Target } from './connecting.ts'

/**
 * Tracks the accounts that are being connected from one part of the page. Call `connect` directly in a click
 * handler, because it opens a window. For an account that is already being connected, it starts over.
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
