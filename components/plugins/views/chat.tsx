import type { ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { clsx } from 'clsx'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Prose } from '#components/session/content/markdown.tsx'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { textAt } from './attributes.ts'
import { type ChatLine, withFailure, withMessage } from './chat-lines.ts'
import { type StreamState, useStream } from './use-stream.ts'
import { streamOf, useView } from './view-context.ts'

const standing: Record<StreamState, string> = {
  connecting: 'Connecting…',
  open: '',
  waiting: 'Connection lost. Reconnecting…',
  refused: 'You no longer have permission to use this chat.'
}

/** Maximum number of lines. Older lines are dropped. */
const most = 500

/**
 * A chat over the plugin's stream. Attributes: `placeholder`, `button_label` and `stream`. A message is sent
 * as `{"type": "message", "content": …}`. If the stream is not connected, the typed text stays in the field.
 */
export function ViewChat({ of: { name, attributes } }: { of: ViewComponent }) {
  const { me } = useWorkspace()
  const own = streamOf(useView(), textAt(attributes, 'stream'))
  const path = me.maySend ? own : undefined
  const [lines, setLines] = useState<ChatLine[]>([])
  const [text, setText] = useState('')
  const change = (next: (before: ChatLine[]) => ChatLine[]) => setLines(before => next(before).slice(-most))
  const { state, send } = useStream(
    path,
    message => change(before => withMessage(before, message)),
    reason => change(before => withFailure(before, reason))
  )
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to each new line
  useEffect(() => {
    end.current?.scrollTo({ top: end.current.scrollHeight })
  }, [lines])
  if (own === undefined)
    return <p className="text-muted">This chat names a stream that its plugin doesn't have.</p>
  if (path === undefined)
    return <p className="text-muted">You can't send messages to this plugin. Ask an owner for access.</p>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const content = text.trim()
    if (content === '' || !send(JSON.stringify({ type: 'message', content }))) return
    change(before => [...before, { kind: 'you', text: content }])
    setText('')
  }
  return (
    <section aria-label={name} className="flex flex-col gap-3">
      <div
        ref={end}
        role="log"
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll (WCAG 2.1.1)
        tabIndex={0}
        className="flex h-96 flex-col gap-3 overflow-y-auto rounded-sm border p-4"
      >
        {lines.length === 0 ? (
          <p className="text-muted">No messages yet. Write the first one below.</p>
        ) : null}
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no ID
          <Line key={at} line={line} />
        ))}
      </div>
      <form onSubmit={submit} className="flex items-center gap-2">
        <Input
          aria-label="Message"
          value={text}
          onChange={event => setText(event.target.value)}
          placeholder={textAt(attributes, 'placeholder') || 'Type a message…'}
          className="flex-1"
        />
        <Button
          type="submit"
          tone="primary"
          data-hook="send"
          disabled={state !== 'open' || text.trim() === ''}
        >
          {textAt(attributes, 'button_label') || 'Send'}
        </Button>
      </form>
      <p role="status" data-hook="stream-state" data-state={state} className="text-muted empty:hidden">
        {standing[state]}
      </p>
    </section>
  )
}

function Line({ line }: { line: ChatLine }) {
  switch (line.kind) {
    case 'you':
      return (
        <p className="max-w-[80%] self-end rounded-sm border bg-panel px-3 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <span className="sr-only">You: </span>
          {line.text}
        </p>
      )
    case 'agent':
      return (
        <div className="max-w-[90%] min-w-0">
          {line.agent === '' ? null : <p className="text-muted">{line.agent}</p>}
          <Prose text={line.text} streaming={line.open} />
        </div>
      )
    case 'tool':
      return (
        <details className="min-w-0">
          <summary
            data-outcome={line.result === undefined ? 'running' : line.failed ? 'failed' : 'done'}
            className={clsx('tap cursor-pointer', line.failed ? 'text-fail' : 'text-muted')}
          >
            <code className="font-mono text-mono">{line.tool}</code>{' '}
            {line.result === undefined ? 'is running…' : line.failed ? 'failed' : 'finished'}
          </summary>
          <pre className="font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
            {[line.args, line.result].filter(Boolean).join('\n')}
          </pre>
        </details>
      )
    case 'note':
      return (
        <p className={clsx('[overflow-wrap:anywhere]', line.failed ? 'text-fail' : 'text-muted')}>
          {line.text}
        </p>
      )
  }
}
