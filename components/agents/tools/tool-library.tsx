import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useState } from 'react'
import type { ToolChoice } from '#components/agents/agent-form.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { ToolNotes } from './built-in-row.tsx'
import { newTool, toolKinds } from './tool-kinds.ts'
import { toolGroups, wordsOf } from './tool-words.ts'

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
  /** The tools of the server that the agent does not have. */
  tools: readonly ToolChoice[]
  addBuiltIn: (tool: ToolChoice) => void
  addOther: (tool: AgentTool) => void
}

/** All tools that can be added, by group, with a search. */
export function ToolLibrary({ tools, addBuiltIn, addOther }: ToolLibraryProps) {
  const [words, setWords] = useState('')
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
    <section aria-labelledby="tool-library" data-hook="tool-library" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b pb-2">
        <h2 id="tool-library" className="text-person font-semibold">
          Add tools
        </h2>
        <Input
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          data-hook="search-tools"
          value={words}
          onChange={event => setWords(event.target.value)}
          // Enter would submit the form.
          onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
          className="w-60"
        />
      </div>
      {shown.map(({ group, entries }) => (
        <div key={group}>
          <h3 className="pb-1 text-muted">{group}</h3>
          <ul className="border-t">
            {entries.map(({ key, name, line, hook, tool, add }) => (
              <li
                key={key}
                data-tool={tool?.name}
                className="flex items-center gap-4 border-b py-2 hover:bg-panel"
              >
                <div className="min-w-0 flex-1">
                  <p className="gap-x-4 [overflow-wrap:anywhere] mid:grid mid:grid-cols-[176px_minmax(0,1fr)]">
                    <span className="mr-3 font-mono text-mono font-semibold">{name}</span>
                    <span className="text-muted">{line}</span>
                  </p>
                  {tool === undefined ? null : <ToolNotes tool={tool} />}
                </div>
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
      <p role="status" className="text-muted empty:hidden">
        {shown.length === 0 ? `No tool contains “${words.trim()}”.` : ''}
      </p>
    </section>
  )
}

/** The tools of other systems that the workspace has, and for each kind an entry to add a new one. */
function useOtherEntries(addOther: (tool: AgentTool) => void): Entry[] {
  const mcp = useRead({ queryKey: ['mcp servers'], queryFn: () => client.call('listMcpServers') })
  const plugins = useRead({ queryKey: ['plugins'], queryFn: () => client.call('listHostedPlugins') })
  const catalog = useRead({ queryKey: ['catalog'], queryFn: () => client.call('listCatalogue') })
  const known: { kind: string; name: string; line: string; tool: AgentTool }[] = [
    ...(mcp.data?.servers ?? []).map(({ server, service }) => ({
      kind: 'mcp',
      name: server,
      line: service === server ? 'All its tools, or some.' : service,
      tool: { mcp: server, approval: 'ask' as const }
    })),
    ...(plugins.data?.plugins ?? []).flatMap(({ name, tools }) =>
      tools.length === 0
        ? []
        : [
            {
              kind: 'plugin',
              name,
              line: tools.map(tool => tool.name).join(', '),
              tool: { plugin: name, approval: 'ask' as const }
            }
          ]
    ),
    ...(catalog.data?.entries ?? []).flatMap(({ kind, archived, slug, name, description }) =>
      kind !== 'tool' || archived
        ? []
        : [
            {
              kind: 'catalog',
              name: slug,
              line: description ?? name,
              tool: { '@ag.embed': { '@ag.references': { workflow: { slug } } }, approval: 'ask' as const }
            }
          ]
    )
  ]
  return toolKinds.flatMap(({ kind, label, when, another }) => [
    ...known
      .filter(entry => entry.kind === kind)
      .map(({ name, line, tool }) => ({
        key: `${kind} ${name}`,
        group: label,
        name,
        line,
        hook: `add-known-${kind}`,
        add: () => addOther(tool)
      })),
    {
      key: kind,
      group: label,
      name: another,
      line: when,
      hook: `add-${kind}`,
      add: () => addOther(newTool(kind))
    }
  ])
}
