import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useEffect, useRef, useState } from 'react'
import type { ToolChoice } from '#components/agents/agent-form.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { toolGroups, wordsOf } from '#components/session/wording/tool-words.ts'
import { Input } from '#components/ui/input.tsx'
import { LineOf, ToolLine } from './tool-item.tsx'
import { newTool, type ToolKind, toolKinds } from './tool-kinds.ts'

type Entry = {
  key: string
  group: string
  name: string
  line: string
  /** More words to search in. */
  words?: string
  hook: string
  /** For a tool of the server. */
  tool?: ToolChoice
  add: () => void
}

type ToolLibraryProps = {
  /** Open below the button, because the agent has no tools. Else it is a panel above the page. */
  inline: boolean
  /** The tools of the server that the agent does not have. */
  tools: readonly ToolChoice[]
  addBuiltIn: (tool: ToolChoice) => void
  addOther: (tool: AgentTool) => void
}

/** All tools that can be added, by group, with a search. A button opens it, and it stays open for several tools. */
export function ToolLibrary({ inline, tools, addBuiltIn, addOther }: ToolLibraryProps) {
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(inline)
  const [wasInline, setWasInline] = useState(inline)
  if (inline !== wasInline) {
    setWasInline(inline)
    // Also after the last tool was removed.
    setOpen(true)
  }
  const details = useRef<HTMLDetailsElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const others = useOtherEntries(addOther)
  const floats = open && !inline
  useEffect(() => {
    if (!floats) return
    const onPress = ({ target }: Event) => {
      if (!details.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [floats])
  const all: Entry[] = [
    ...tools.map(tool => ({
      key: tool.name,
      name: tool.name,
      ...wordsOf(tool),
      words: tool.description,
      hook: 'add-tool',
      tool,
      add: () => {
        // The entry disappears with the focus.
        search.current?.focus()
        addBuiltIn(tool)
      }
    })),
    ...others
  ]
  const typed = words.trim().toLowerCase()
  const fits = ({ group, name, line, words = '' }: Entry) =>
    `${group} ${name} ${line} ${words}`.toLowerCase().includes(typed)
  const groups = [...toolGroups, ...toolKinds.map(({ label }) => label)]
  const shown = groups.flatMap(group => {
    const entries = all.filter(entry => entry.group === group && fits(entry))
    return entries.length === 0 ? [] : [{ group, entries }]
  })
  return (
    <details
      ref={details}
      open={open}
      data-hook="tool-library"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !open) search.current?.focus()
        setOpen(currentTarget.open)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (floats && relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape' || !floats) return
        event.stopPropagation()
        setOpen(false)
        event.currentTarget.querySelector('summary')?.focus()
      }}
      className={inline ? 'w-full' : 'relative'}
    >
      <summary className="tap chevron inline-flex h-[30px] w-fit items-center rounded-sm border border-rail px-3 font-semibold before:hidden hover:border-ink">
        Add tools
      </summary>
      <div
        className={`max-h-[60vh] overflow-y-auto rounded-sm border ${inline ? 'mt-3' : 'absolute top-[calc(100%+4px)] right-0 z-30 w-[min(480px,calc(100vw-40px))] border-rail bg-raised shadow-overlay'}`}
      >
        <div className="sticky top-0 z-10 border-b bg-raised p-2">
          <Input
            ref={search}
            type="search"
            aria-label="Search tools"
            placeholder="Search tools"
            data-hook="search-tools"
            value={words}
            onChange={event => setWords(event.target.value)}
            // Enter would submit the form.
            onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
            className="w-full"
          />
        </div>
        {shown.map(({ group, entries }) => (
          <div key={group} className="pt-3">
            <h3 className="px-3 text-muted">{group}</h3>
            <ul>
              {entries.map(({ key, name, line, hook, tool, add }) => (
                <li key={key} data-tool={tool?.name}>
                  <button
                    type="button"
                    data-hook={hook}
                    disabled={tool?.unavailable !== undefined}
                    onClick={add}
                    className="tap flex w-full px-3 py-1 text-left -outline-offset-2 not-disabled:hover:bg-line not-disabled:focus-visible:bg-line"
                  >
                    <span className="sr-only">Add </span>
                    <ToolLine
                      name={name}
                      line={tool === undefined ? line : <LineOf tool={tool} line={line} />}
                    />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p role="status" className="p-3 text-muted empty:pt-0">
          {shown.length === 0 ? `No tool contains “${words.trim()}”.` : ''}
        </p>
      </div>
    </details>
  )
}

/** The tools of other systems that the workspace has, and for each kind an entry to add a new one. */
function useOtherEntries(addOther: (tool: AgentTool) => void): Entry[] {
  const mcp = useRead({ queryKey: ['mcp servers'], queryFn: () => client.call('listMcpServers') })
  const plugins = useRead({ queryKey: ['plugins'], queryFn: () => client.call('listHostedPlugins') })
  const catalog = useRead({ queryKey: ['catalog'], queryFn: () => client.call('listCatalogue') })
  const entry = (kind: ToolKind, name: string, line: string, tool: AgentTool): Entry => ({
    key: `${kind} ${name}`,
    group: toolKinds.find(known => known.kind === kind)?.label ?? '',
    name,
    line,
    hook: `add-known-${kind}`,
    add: () => addOther(tool)
  })
  return [
    ...(mcp.data?.servers ?? []).map(({ server, service }) =>
      entry('mcp', server, service === server ? 'All its tools, or some.' : service, {
        mcp: server,
        approval: 'ask'
      })
    ),
    ...(plugins.data?.plugins ?? [])
      .filter(({ tools }) => tools.length > 0)
      .map(({ name, tools }) =>
        entry('plugin', name, tools.map(tool => tool.name).join(', '), { plugin: name, approval: 'ask' })
      ),
    ...(catalog.data?.entries ?? [])
      .filter(({ kind, archived }) => kind === 'tool' && !archived)
      .map(({ slug, name, description }) =>
        entry('catalog', slug, description ?? name, {
          '@ag.embed': { '@ag.references': { workflow: { slug } } },
          approval: 'ask'
        })
      ),
    ...toolKinds.map(({ kind, when, another }) => ({
      ...entry(kind, another, when, newTool(kind)),
      hook: `add-${kind}`
    }))
  ]
}
