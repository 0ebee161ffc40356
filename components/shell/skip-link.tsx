'use client'

/** The first thing on a page for whoever goes by keyboard: past the list, to what waits or else to the page. */
export function SkipLink() {
  const skip = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    const target = document.getElementById('waits') ?? document.getElementById('main')
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it is a link to a place of this page, which only focus can reach
    <a
      href="#main"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-panel focus:px-3 focus:py-2"
    >
      Skip to pending requests
    </a>
  )
}
