import { useId } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Modal } from '#components/ui/modal.tsx'

const PaletteSearch = lazyPart(async () => (await import('./palette-search.tsx')).PaletteSearch)

/** The command palette (⌘K). It finds sessions, agents and actions. Its code is loaded when it is first opened. */
export function Palette({ close }: { close: () => void }) {
  const id = useId()
  return (
    <Modal
      onClose={close}
      labelledBy={id}
      className="mx-auto mt-[12dvh] flex max-h-[70dvh] min-h-12 w-[min(560px,calc(100vw-24px))] max-w-none flex-col rounded-sm"
    >
      <h2 id={id} className="sr-only">
        Find
      </h2>
      <PaletteSearch close={close} />
    </Modal>
  )
}
