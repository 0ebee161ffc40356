'use client'
import { createContext, memo, type ReactElement, type ReactNode, useContext, useMemo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { closeMarkdown } from './close-markdown.ts'
import { splitBlocks } from './split-blocks.ts'
import { Wikitext } from './wikitext.tsx'

/**
 * Shows the agent's Markdown. It cannot run or load anything: raw HTML stays text, an image becomes a link
 * with its alt text, and only http, https and mailto links are links. While text streams in, only the last
 * block is parsed again, and its unfinished syntax is completed.
 */
export function Prose({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return (
    <div className="prose font-serif text-agent [overflow-wrap:anywhere]">
      {blocks.map((block, index) => {
        const open = streaming && index === blocks.length - 1 && !endsFence.test(block)
        // biome-ignore lint/suspicious/noArrayIndexKey: text is only appended, so indexes are stable
        return <Block key={index} text={block} open={open} />
      })}
    </div>
  )
}

const plugins = [remarkGfm]

/** Matches the end of a code block. */
const endsFence = /\n {0,3}(`{3,}|~{3,})\s*$/

/** True while more text is expected in the current block. */
const Open = createContext(false)

const Block = memo(function Block({ text, open }: { text: string; open: boolean }) {
  return <Open.Provider value={open}>{open ? render(closeMarkdown(text)) : rendered(text)}</Open.Provider>
})

/** `Markdown` uses no hooks, so it can be called as a function and its result can be cached. */
const render = (text: string): ReactElement =>
  Markdown({ children: text, remarkPlugins: plugins, urlTransform: safeUrl, components })

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

const isWikitext = /^language-(wikitext|tiddlywiki|tid)$/i

/** Shows a code block. Wikitext is shown as TiddlyWiki renders it. */
function Code({ text, language, children }: { text: string; language: string; children: ReactNode }) {
  const open = useContext(Open)
  if (!isWikitext.test(language)) return <CodeBlock text={text}>{children}</CodeBlock>
  return <Wikitext text={text} streaming={open} />
}

function CodeBlock({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="group relative">
      <ScrollBox label="Code">
        <pre className="p-2 pr-14 font-mono text-mono">{children}</pre>
      </ScrollBox>
      <span className="absolute top-0 right-2 font-sans">
        <CopyButton text={text} />
      </span>
    </div>
  )
}

/** Returns the URL if it is an http, https or mailto URL, else undefined. */
export function safeUrl(url: string): string | undefined {
  return URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : undefined
}

function Link({ href, children }: { href?: string | undefined; children: ReactNode }) {
  if (!href) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Link href={typeof src === 'string' ? src : undefined}>{alt || 'image'}</Link>,
  h1: ({ children }) => <h2>{children}</h2>,
  h3: ({ children }) => <h2>{children}</h2>,
  h4: ({ children }) => <h3>{children}</h3>,
  h5: ({ children }) => <h3>{children}</h3>,
  h6: ({ children }) => <h3>{children}</h3>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'done' : 'to do'}>
      {checked ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => <ScrollBox label="Table">{<table>{children}</table>}</ScrollBox>,
  pre: ({ node, children }) => {
    const code = node?.children[0]
    const text = code?.type === 'element' && code.children[0]?.type === 'text' ? code.children[0].value : ''
    const language = code?.type === 'element' ? [code.properties.className].flat().join(' ') : ''
    return (
      <Code text={text} language={language}>
        {children}
      </Code>
    )
  }
}
