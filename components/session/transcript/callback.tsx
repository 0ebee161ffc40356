'use client'
import { useEffect, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'

/** What an external agent does, and the very command that replies in its place, for whoever may see its link. */
export function Callback() {
  const { agent, store } = useSessionContext()
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let gone = false
    void store.http<{ callbackUrl: string }>('GET', `${store.path}/callback`).then(reply => {
      if (!gone && reply.ok) setUrl(reply.body.callbackUrl)
    })
    return () => {
      gone = true
    }
  }, [store])
  return (
    <>
      <p data-hook="external-agent" className="max-w-[68ch]">
        {agent.displayName} is an external agent. It receives your messages and replies when it is ready. You
        can close this tab.
      </p>
      {url === undefined ? null : (
        <figure data-hook="callback" className="min-w-0">
          <figcaption className="flex items-center justify-between text-muted">
            Reply command
            <CopyButton text={replyCurl(url)} label="Copy curl" />
          </figcaption>
          <ScrollBox label="Reply command">
            <pre className="p-2 font-mono text-mono">{replyCurl(url)}</pre>
          </ScrollBox>
        </figure>
      )}
    </>
  )
}

/** The heredoc of 000-15; the address stands in single quotes, which nothing inside can end. */
export const replyCurl = (url: string) =>
  `curl '${url.replaceAll("'", "'\\''")}' --data-binary @- <<'END'\nHello from an **external agent**.\nEND`
