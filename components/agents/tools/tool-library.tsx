import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useState } from 'react'
import type { ToolChoice } from '#components/agents/agent-form.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { toolGroups, wordsOf } from '#components/session/wording/tool-words.ts'
import { Button } from '#components/ui/button.tsx'
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
  /** True if it is open at first. */
  opened: boolean
  /** The tools of the server that the agent does not have. */
  tools: readonly ToolChoice[]
  addBuiltIn: (tool: ToolChoice) => void
  addOther: (tool: AgentTool) => void
}

/** All tools that can be added, by group, with a search. A button opens it. */
export function ToolLibrary({ opened, tools, addBuiltIn, addOther }: ToolLibraryProps) {
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(opened)
  const others = useOtherEntries(addOther)
  const all: Entry[] = [
    ...tools.map(tool => ({
      key: tool.name,
      name: tool.name,
      ...wordsOf(tool),
      words: tool.description,
      hook: 'add-tool',
      tool,
      add: () => addBuiltIn(tool)
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
    <details open={open} data-hook="tool-library" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="tap inline-flex h-[30px] w-fit items-center rounded-sm border border-rail px-3 font-semibold hover:border-ink">
        Add tools
      </summary>
      <div className="mt-3 max-h-[60vh] overflow-y-auto rounded-sm border px-3">
        <div className="sticky top-0 z-10 bg-ground py-3">
          <Input
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
          <div key={group} className="pb-4">
            <h3 className="border-b pb-1 text-muted">{group}</h3>
            <ul>
              {entries.map(({ key, name, line, hook, tool, add }) => (
                <li
                  key={key}
                  data-tool={tool?.name}
                  className="flex min-h-10 items-center gap-4 border-b py-1.5 last:border-b-0 hover:bg-panel"
                >
                  <ToolLine
                    name={name}
                    line={tool === undefined ? line : <LineOf tool={tool} line={line} />}
                  />
                  <Button
                    tone="quiet"
                    aria-label={`Add ${name}`}
                    data-hook={hook}
                    disabled={tool?.unavailable !== undefined}
                    onClick={add}
                  >
                    Add
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p role="status" className="pb-3 text-muted empty:hidden">
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
