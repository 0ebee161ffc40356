'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** Shows the rendered HTML of a tiddler. Links to other tiddlers work without reloading the page. */
export function TiddlerText({ html }: { html: string }) {
  const router = useRouter()
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = text.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[data-tiddler]') : null
      const href = link?.getAttribute('href')
      if (!href || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
        return
      event.preventDefault()
      router.push(href)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [router])
  return (
    <div
      ref={text}
      className="wikitext prose overflow-x-auto font-serif text-agent [overflow-wrap:anywhere]"
      // The server sanitizes this HTML (packages/tiddlywiki/src/clean-html.ts).
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is sanitized
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
