import type { ReactNode } from 'react'

/** Returns the URL if it is an http, https or mailto URL, else undefined. */
function safeUrl(url: string): string | undefined {
  return URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : undefined
}

type SafeLinkProps = { url: string; className?: string; children: ReactNode }

/** A link from an agent's text. If its URL is not safe, only the text is shown. */
export function SafeLink({ url, className, children }: SafeLinkProps) {
  const href = safeUrl(url)
  if (href === undefined) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      {children}
    </a>
  )
}
