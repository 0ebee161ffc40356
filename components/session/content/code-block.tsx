import { createContext, useContext } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Wikitext } from './wikitext.tsx'

/** True while more text is expected in the current block. */
export const OpenContext = createContext(false)

const isWikitext = /^(wikitext|tiddlywiki|tid)$/i
const isWikiName = /^[a-z0-9-]{1,64}$/

/** Shows a code block. Wikitext is shown as TiddlyWiki renders it, in the wiki that follows the language: `wikitext garden`. */
export function CodeBlock({ text, info }: { text: string; info: string }) {
  const open = useContext(OpenContext)
  const [language = '', wiki = ''] = info.trim().split(/\s+/)
  if (isWikitext.test(language))
    return <Wikitext text={text} streaming={open} wiki={isWikiName.test(wiki) ? wiki : undefined} />
  return (
    <div className="group relative">
      <ScrollBox label="Code">
        <pre className="p-2 pr-14 font-mono text-mono">
          <code>{text}</code>
        </pre>
      </ScrollBox>
      <span className="absolute top-0 right-2 font-sans">
        <CopyButton text={text} />
      </span>
    </div>
  )
}
