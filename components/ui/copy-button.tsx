import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** Copies `text` to the clipboard, and says for two seconds whether it worked, also to screen readers. */
export function CopyButton({
  text,
  label = 'Copy',
  'data-hook': hook
}: {
  text: string
  label?: string
  'data-hook'?: string | undefined
}) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid("Couldn't copy")
    )
  return (
    <Button tone="quiet" onClick={copy} data-hook={hook}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  )
}
