import { useEffect, useRef, useState } from 'react'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** While it is shown, the browser asks before a tab with unsaved changes closes, and a dialog before a link leaves. */
export function LeaveGuard() {
  const [link, setLink] = useState<HTMLAnchorElement>()
  const leaving = useRef(false)
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!leaving.current) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const clicked = event.target instanceof Element ? event.target.closest('a') : null
      if (clicked === null || leaving.current || !leaves(clicked, event)) return
      event.preventDefault()
      event.stopPropagation()
      setLink(clicked)
    }
    addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, true)
    return () => {
      removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, true)
    }
  }, [])
  return (
    <Dialog
      open={link !== undefined}
      onOpenChange={open => open || setLink(undefined)}
      title="Leave without saving?"
      description="Your changes on this page will be lost."
    >
      <ConfirmButtons
        act="Discard changes"
        keep="Keep editing"
        onAct={() => {
          leaving.current = true
          setLink(undefined)
          link?.click()
        }}
        onKeep={() => setLink(undefined)}
      />
    </Dialog>
  )
}

/** Tells whether a click on a link replaces this page by another page of the same site. */
function leaves(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const opensElsewhere =
    event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (opensElsewhere || link.hasAttribute('download') || !['', '_self'].includes(link.target)) return false
  return link.origin === window.location.origin && link.pathname !== window.location.pathname
}
