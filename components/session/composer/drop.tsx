import { useEffect, useRef, useState } from 'react'

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
    const ending = new AbortController()
    const on = (name: 'dragenter' | 'dragleave' | 'dragover' | 'drop', react: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files')) react(event)
      }
      zone.addEventListener(name, listener, { signal: ending.signal })
    }
    on('dragenter', () => {
      depth++
      setOver(true)
    })
    on('dragleave', () => {
      if (--depth <= 0) end()
    })
    on('dragover', event => event.preventDefault())
    on('drop', event => {
      event.preventDefault()
      end()
      take.current([...(event.dataTransfer?.files ?? [])])
    })
    return () => ending.abort()
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
