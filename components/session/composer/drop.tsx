'use client'
import { useEffect, useRef, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Accepts files that are dropped anywhere on the session. Place it inside the element with `data-drop`, on
 * which it listens. The rest of the page is not affected.
 */
export function Drop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    const zone = mark.current?.closest<HTMLElement>('[data-drop]') ?? mark.current?.parentElement
    if (zone == null) return
    // Child elements send enter and leave events too. The drag has left the zone when both numbers are equal.
    let depth = 0
    const end = () => {
      depth = 0
      setOver(false)
    }
    const listeners: Record<string, (event: DragEvent) => void> = {
      dragenter: event => {
        if (!hasFiles(event)) return
        depth++
        setOver(true)
      },
      dragleave: event => {
        if (hasFiles(event) && --depth <= 0) end()
      },
      dragover: event => {
        if (hasFiles(event)) event.preventDefault()
      },
      drop: event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        end()
        take.current([...(event.dataTransfer?.files ?? [])])
      }
    }
    for (const [name, listener] of Object.entries(listeners))
      zone.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        zone.removeEventListener(name, listener as EventListener)
    }
  }, [])
  return (
    <div ref={mark}>
      {over ? (
        <div
          data-hook="drop-here"
          className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center rounded-sm border border-dashed border-ink bg-panel/90"
        >
          <p className="font-semibold">Drop to attach</p>
        </div>
      ) : null}
    </div>
  )
}
