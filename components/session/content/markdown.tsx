import { clsx } from 'clsx'
import { memo, type ReactElement, useMemo } from 'react'
import { kerningOf } from '#components/ui/long-words.ts'
import { closeMarkdown } from './close-markdown.ts'
import { OpenContext } from './code-block.tsx'
import { renderMarkdown } from './markdown-nodes.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import { splitBlocks } from './split-blocks.ts'

/**
 * Shows the agent's Markdown. It cannot run or load anything: raw HTML stays text, an image becomes a link
 * with its alt text, and only http, https and mailto links are links. While text streams in, only the last
 * block is parsed again, and its unfinished syntax is completed.
 */
export function Prose({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return (
    <div className={clsx('prose font-serif text-agent [overflow-wrap:anywhere]', kerningOf(text))}>
      {blocks.map((block, index) => {
        const open = streaming && index === blocks.length - 1 && !endsFence.test(block)
        // biome-ignore lint/suspicious/noArrayIndexKey: text is only appended, so indexes are stable
        return <Block key={index} text={block} open={open} />
      })}
    </div>
  )
}

/** Matches the end of a code block. */
const endsFence = /\n {0,3}(`{3,}|~{3,})\s*$/

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  return (
    <OpenContext.Provider value={open}>
      {open ? render(closeMarkdown(text)) : rendered(text)}
    </OpenContext.Provider>
  )
})

const render = (text: string): ReactElement => renderMarkdown(parseMarkdown(text))

/** The maximum size of the cache, in characters of Markdown. */
const mostKept = 1_000_000
const kept = new Map<string, ReactElement>()
let keptLength = 0

/** Returns a complete block as elements. The cache avoids parsing it again while the user scrolls. */
function rendered(text: string): ReactElement {
  const known = kept.get(text)
  if (known !== undefined) return known
  for (const oldest of kept.keys()) {
    if (keptLength + text.length <= mostKept) break
    kept.delete(oldest)
    keptLength -= oldest.length
  }
  const made = render(text)
  kept.set(text, made)
  keptLength += text.length
  return made
}
