/**
 * The first link on a page for keyboard users. It skips the list and moves the focus to the pending calls, or
 * else to the page.
 */
export function SkipLink() {
  const skip = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    const target = document.getElementById('waits') ?? document.getElementById('main')
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: the link moves the focus to an element of this page
    <a
      href="#main"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:bg-panel focus:px-3 focus:py-2"
    >
      Skip to pending requests
    </a>
  )
}
