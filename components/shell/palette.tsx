import { type KeyboardEvent, useId, useState } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Modal } from '#components/ui/modal.tsx'

const PaletteSearch = lazyPart(async () => (await import('./palette-search.tsx')).PaletteSearch)

/**
 * The command palette (⌘K). It finds sessions, agents and actions. Its code is loaded when it is first opened, and its
 * field starts with what the user has typed meanwhile.
 */
export function Palette({ close }: { close: () => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const keepTyped = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey } = event
    if (key.length > 1 || ctrlKey || metaKey || target instanceof HTMLInputElement) return
    // If the field appears now, the browser would type the key there again.
    event.preventDefault()
    setTyped(text => text + key)
  }
  return (
    <Modal
      onClose={close}
      labelledBy={id}
      className="mx-auto mt-[12dvh] flex max-h-[70dvh] min-h-12 w-[min(560px,calc(100vw-24px))] max-w-none flex-col rounded-sm"
    >
      <search
        aria-labelledby={id}
        onKeyDown={keepTyped}
        tabIndex={-1}
        className="flex min-h-0 flex-col outline-none"
      >
        <h2 id={id} className="sr-only">
          Find
        </h2>
        <PaletteSearch close={close} typed={typed} />
      </search>
    </Modal>
  )
}
