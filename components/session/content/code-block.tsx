import { createContext, useContext } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Wikitext } from './wikitext.tsx'

/** True while more text is expected in the current block. */
export const OpenContext = createContext(false)

const isWikitext = /^(wikitext|tiddlywiki|tid)$/i

/** Shows a code block. Wikitext is shown as TiddlyWiki renders it. */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  const open = useContext(OpenContext)
  if (isWikitext.test(language)) return <Wikitext text={text} streaming={open} />
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
