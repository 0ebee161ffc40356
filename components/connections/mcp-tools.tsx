import type { McpServerTool } from '@waystation/protocol/connection/mcp.ts'
import { useId, useState } from 'react'
import { Empty } from '#components/ui/empty.tsx'
import { Input } from '#components/ui/input.tsx'
import { type AcceptTool, ToolItem } from './mcp-tool.tsx'

/** If there are more tools than this, the list has a search field. */
const many = 10

type ToolListProps = { tools: readonly McpServerTool[]; accept: AcceptTool; wasListed: boolean }

/** Lists the tools of a server. New and changed ones come first. */
export function ToolList({ tools, accept, wasListed }: ToolListProps) {
  const [words, setWords] = useState('')
  const id = useId()
  if (tools.length === 0)
    return (
      <Empty title="No tools yet">
        {wasListed ? "This server hasn't listed any." : 'They appear after the first check.'}
      </Empty>
    )
  const wanted = words.trim().toLowerCase()
  const found = tools
    .filter(({ name, title = '', description }) =>
      [name, title, description].some(text => text.toLowerCase().includes(wanted))
    )
    .sort((a, b) => Number(b.offered !== undefined) - Number(a.offered !== undefined))
  return (
    <section aria-labelledby={`${id}-tools`} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={`${id}-tools`} className="text-person font-semibold">
          Tools
        </h2>
        {tools.length <= many ? null : (
          <Input
            type="search"
            value={words}
            placeholder="Search tools"
            aria-label="Search tools"
            onChange={event => setWords(event.target.value)}
            className="flex-1 basis-48"
          />
        )}
      </div>
      {found.length === 0 ? (
        <p className="text-muted">No tools match your search.</p>
      ) : (
        <ul aria-label="Tools" data-hook="mcp-tools" className="border-t">
          {found.map(tool => (
            <ToolItem key={tool.name} tool={tool} accept={accept} />
          ))}
        </ul>
      )}
    </section>
  )
}
