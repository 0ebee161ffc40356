import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { type SessionAgent, useSessionContext } from '#components/session/store/session-context.ts'
import { wordsOf } from '#components/session/wording/tool-words.ts'
import { type Trigger, triggerOf } from './insert-trigger.ts'

export type InsertsProps = {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
}

/** `text` replaces the typed `/` or `@` and the letters after it. */
type Insert = { group: string; label: string; note?: string | undefined; text: string }

/**
 * The list above the message field: `/` in an empty field lists the agent's tools and starters, and `@` the pages of its
 * wikis. The focus stays in the field, and the keys of the list work there (APG: combobox with a list).
 */
export function Inserts({ field, text, onText }: InsertsProps) {
  const id = useId()
  const [closedAt, setClosedAt] = useState<string>()
  const [at, setAt] = useState(0)
  const found = triggerOf(text, field.current?.selectionStart ?? text.length)
  const inserts = useInserts(found)
  const open = found !== undefined && closedAt !== text && inserts.length > 0
  const chosen = Math.min(at, inserts.length - 1)
  useEffect(() => {
    // Another text has other matches, and opens the list again.
    setAt(0)
    setClosedAt(closed => (closed === text ? closed : undefined))
  }, [text])

  const insert = ({ text: inserted }: Insert) => {
    if (found === undefined) return
    const end = found.start + found.query.length + 1
    const next = `${text.slice(0, found.start)}${inserted}${text.slice(end)}`
    onText(next)
    setClosedAt(next)
    requestAnimationFrame(() => {
      const caret = found.start + inserted.length
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    })
  }
  const onKey = (event: KeyboardEvent) => {
    if (!open || event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return
    const last = inserts.length - 1
    const moved = { ArrowDown: chosen === last ? 0 : chosen + 1, ArrowUp: chosen === 0 ? last : chosen - 1 }
    const row = inserts[chosen]
    if (event.key in moved) setAt(moved[event.key as keyof typeof moved])
    else if (event.key === 'Escape') setClosedAt(text)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && row) insert(row)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const box = field.current
    // Before the field's own keys.
    const listener = (event: KeyboardEvent) => latest.current(event)
    box?.addEventListener('keydown', listener, true)
    box?.setAttribute('aria-autocomplete', 'list')
    box?.setAttribute('aria-haspopup', 'listbox')
    return () => box?.removeEventListener('keydown', listener, true)
  }, [field])
  useEffect(() => {
    const box = field.current
    if (!open) return
    box?.setAttribute('aria-controls', id)
    box?.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      box?.removeAttribute('aria-controls')
      box?.removeAttribute('aria-activedescendant')
    }
  }, [field, open, id, chosen])

  return (
    <>
      <p role="status" className="sr-only">
        {open ? `${inserts.length} ${inserts.length === 1 ? 'suggestion' : 'suggestions'}` : ''}
      </p>
      {open ? (
        <div
          id={id}
          role="listbox"
          aria-label="Suggestions"
          tabIndex={-1}
          data-hook="inserts"
          className="absolute -inset-x-px bottom-full z-30 mb-2 max-h-[min(320px,40dvh)] overflow-y-auto rounded-sm border bg-raised py-1 shadow-overlay"
        >
          {inserts.map((row, index) => (
            <div key={`${row.group} ${row.text}`} role="presentation">
              {row.group === inserts[index - 1]?.group ? null : (
                <p role="presentation" className="px-3 pt-2 pb-1 text-muted">
                  {row.group}
                </p>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
              <div
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                tabIndex={-1}
                data-hook="insert"
                onPointerMove={() => setAt(index)}
                // The focus stays in the field.
                onMouseDown={event => event.preventDefault()}
                onClick={() => insert(row)}
                className="tap flex h-8 cursor-pointer items-center gap-3 px-3 aria-selected:bg-line"
              >
                <span
                  className={`max-w-full shrink-0 truncate ${row.group === 'Tools' ? 'w-40 font-mono text-mono' : ''}`}
                >
                  {row.label}
                </span>
                <span className="min-w-0 flex-1 truncate text-muted">{row.note}</span>
              </div>
            </div>
          ))}
        </div>
      ) : null}
    </>
  )
}

/** The largest number of entries. A longer list is not read, so its user types more letters. */
const most = 30

function useInserts(found: Trigger | undefined): readonly Insert[] {
  const { agent, store } = useSessionContext()
  const query = useDebounced(found?.query ?? '', 150)
  const wikis = wikisOf(agent)
  const { data: pages = [] } = useRead({
    queryKey: ['inserted-pages', query, wikis],
    queryFn: async () => {
      const all = (await store.client.call('listWikis')).wikis.map(({ name }) => name)
      const readable = all.filter(name => wikis === 'all' || wikis.includes(name)).slice(0, 10)
      const lists = readable.map(async wiki => {
        const { tiddlers } = await store.client.call('listTiddlers', {
          path: { wiki },
          query: { offset: 0, search: query || undefined }
        })
        return tiddlers.slice(0, most).map(({ title }): Insert => {
          return { group: wiki, label: title, text: `[[${title}]] in the wiki ${wiki} ` }
        })
      })
      return (await Promise.all(lists)).flat()
    },
    enabled: found?.mark === '@' && wikis.length > 0,
    placeholderData: before => before
  })
  if (found === undefined) return []
  if (found.mark === '@') return pages
  const words = found.query.toLowerCase()
  return [
    ...(agent.tools ?? []).map(({ name, title, description = title ?? '' }): Insert => {
      return { group: 'Tools', label: name, note: wordsOf({ name, description }).line, text: `use ${name} ` }
    }),
    ...(agent.starters ?? []).map(
      ({ label, text }): Insert => ({ group: 'Starters', label, note: text, text })
    )
  ].filter(({ label, note = '' }) => `${label} ${note}`.toLowerCase().includes(words))
}

/** Returns the wikis that the agent's tools can read. */
function wikisOf({ tools = [], external }: SessionAgent): 'all' | readonly string[] {
  if (external) return 'all'
  const reading = tools.filter(({ name }) => name.startsWith('wiki-'))
  return reading.some(({ wikis }) => wikis === undefined)
    ? 'all'
    : reading.flatMap(({ wikis }) => wikis ?? [])
}
