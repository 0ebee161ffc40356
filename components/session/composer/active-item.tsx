import type { ActiveItem, AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import { maxActiveItemBytes } from '@waystation/protocol/external-agent/max-active-item-bytes.ts'
import { useId, useRef, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { FileInput } from '#components/ui/file-input.tsx'
import { ChoosePage } from './choose-page.tsx'
import { useActiveItem } from './use-active-item.ts'

/** Returns the name of an item for its checkbox. */
const nameOf = (item: AttachedItem) =>
  'wiki' in item ? `${item.title} from the wiki ${item.wiki}` : (item.name ?? item.id)

/**
 * Lets the user choose an item that is sent to an external agent with each message (000-21): a text or JSON
 * file, or a page of a wiki. The browser stores it until the user removes it.
 */
export function ActiveItemBar() {
  const { sessionId, agent } = useSessionContext()
  const [{ on, item }, write] = useActiveItem(sessionId)
  const [fault, setFault] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const reasonId = useId()
  const choose = async ([file]: readonly File[]) => {
    if (file === undefined) return
    const read = await itemOf(file)
    setFault('fault' in read ? read.fault : '')
    if ('item' in read) write({ item: read.item, on: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-ui text-muted">
      <Checkbox
        data-hook="send-active-item"
        checked={on && item !== undefined}
        disabled={item === undefined}
        aria-describedby={item === undefined ? reasonId : undefined}
        onChange={on => write({ on })}
      >
        {item === undefined ? (
          'Send active item with messages'
        ) : (
          <span className="[overflow-wrap:anywhere]">
            Send <span className="text-ink">{nameOf(item)}</span> with messages
          </span>
        )}
      </Checkbox>
      <Button tone="quiet" onClick={() => input.current?.click()}>
        {item === undefined ? 'Choose file…' : 'Choose another file…'}
      </Button>
      <ChoosePage
        onChosen={page => {
          setFault('')
          write({ item: page, on: true })
        }}
      />
      {item === undefined ? (
        <span id={reasonId}>
          No active item yet. {agent.displayName} receives the full text of the item you choose.
        </span>
      ) : (
        <Button
          data-hook="clear-active-item"
          tone="quiet"
          onClick={() => write({ on: false, item: undefined })}
        >
          Remove item
        </Button>
      )}
      <span role="alert" data-hook="active-item-fault" className="text-fail empty:hidden">
        {fault}
      </span>
      <FileInput
        ref={input}
        hidden
        aria-label="Active item"
        data-hook="active-item-input"
        accept=".json,.txt,.md,.csv,application/json,text/*"
        onFiles={files => void choose(files)}
      />
    </div>
  )
}

/**
 * Reads a file as an item: JSON as its value, other text as a string. Binary and too large files return a
 * `fault`.
 */
async function itemOf(file: File): Promise<{ item: ActiveItem } | { fault: string }> {
  const tooLarge = {
    fault: `${file.name} is larger than ${maxActiveItemBytes / 1024} KiB. Choose a smaller file.`
  }
  if (file.size > maxActiveItemBytes) return tooLarge
  const text = await file.text()
  if (text.includes('\0')) return { fault: `${file.name} is not a text file. Choose a text or JSON file.` }
  const item = { id: file.name.slice(0, 200), name: file.name.slice(0, 200), ...contentOf(file.name, text) }
  // A text can be longer when it is encoded as JSON.
  return new Blob([JSON.stringify(item.content)]).size > maxActiveItemBytes ? tooLarge : { item }
}

function contentOf(name: string, text: string): { type: string; content: unknown } {
  if (name.toLowerCase().endsWith('.json')) {
    try {
      return { type: 'json', content: JSON.parse(text) }
    } catch {
      // Invalid JSON is sent as text.
    }
  }
  return { type: 'text', content: text }
}
