import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { exactOrClock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { inTokens } from '#components/session/wording/context-words.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { PromptMessages } from './prompt-messages.tsx'
import { PromptPart } from './prompt-part.tsx'
import { messagesIn, stateName, stateWords } from './state-words.ts'
import { useStoredPrompt } from './use-stored-prompt.ts'

/**
 * The stored prompt of a step: how it was built, and its complete content. Shows the newest prompt unless the
 * URL names another one.
 */
export function PromptTab({ promptId }: { promptId: number | undefined }) {
  const { go } = useSessionContext()
  const { prompt, problem } = useStoredPrompt(promptId)
  if (problem !== undefined)
    return (
      <p data-hook="prompt-fault" className="px-4 py-3 text-fail">
        Couldn't load the prompt. {problem}{' '}
        {promptId === undefined ? null : (
          <Button tone="quiet" onClick={() => go({ inspect: 'prompt' })}>
            Show newest
          </Button>
        )}
      </p>
    )
  if (prompt === undefined) return <p className="px-4 py-3 text-muted">Loading…</p>
  if (prompt === null)
    return (
      <p data-hook="no-prompt" className="px-4 py-3 text-muted">
        No stored prompts yet. They appear after the first step.
      </p>
    )
  return <Prompt prompt={prompt} />
}

function Prompt({ prompt }: { prompt: StoredPrompt }) {
  const { go } = useSessionContext()
  const now = useNow()
  const stepped = useRef(false)
  const { round, turnId, at, previous, next, tokens, messages, instructions, tools, states } = prompt
  const text = useMemo(() => JSON.stringify(prompt, null, 2), [prompt])
  const stepTo = (to: number | undefined) => {
    if (to === undefined) return
    stepped.current = true
    go({ inspect: 'prompt', prompt: to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // In a scroll box, the arrow keys scroll.
    const scrolls = event.target instanceof Element && event.target.closest('section[tabindex]') !== null
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (to === undefined || scrolls || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    stepTo(to)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys work anywhere in the tab
    <div onKeyDown={onKeyDown} className="flex h-full flex-col">
      <div className="border-b px-4 py-2">
        <div className="flex items-center gap-3">
          <h2
            data-hook="prompt-round"
            data-prompt={prompt.promptId}
            className="min-w-0 flex-1 truncate font-semibold"
            title={turnId}
            aria-live="polite"
          >
            Step {round} of turn <span className="font-mono text-mono">{turnId.replace(/^turn_/, '')}</span>
            {now === undefined ? null : ` · ${exactOrClock(at, now)}`}
          </h2>
          <CopyButton data-hook="copy-prompt" label="Copy as JSON" text={text} />
        </div>
        <div className="mt-1 flex items-center gap-2">
          <p data-hook="prompt-size" className="min-w-0 flex-1 text-muted tabular-nums">
            {messagesIn(messages.length)} · {inTokens(tokens)}, counted by the provider
          </p>
          {next === undefined ? null : (
            <Button data-hook="newest-prompt" tone="quiet" onClick={() => go({ inspect: 'prompt' })}>
              Show newest
            </Button>
          )}
          {[
            { hook: 'previous-prompt', label: 'Previous step', glyph: '←', to: previous },
            { hook: 'next-prompt', label: 'Next step', glyph: '→', to: next }
          ].map(({ hook, label, glyph, to }) => (
            <Button
              key={hook}
              data-hook={hook}
              aria-label={label}
              title={label}
              // Not `disabled`, so that the button does not lose the focus.
              aria-disabled={to === undefined}
              onClick={() => stepTo(to)}
              className="aria-disabled:border-line aria-disabled:text-muted"
            >
              {glyph}
            </Button>
          ))}
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ol
          data-hook="prompt-states"
          aria-label="How the prompt was built"
          className="border-b px-4 py-3 tabular-nums"
        >
          {states.map((state, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored prompt's states never change their order
            <li key={n} className="relative border-l border-l-rail pb-1 pl-3 last:pb-0">
              <span
                aria-hidden="true"
                className="absolute top-2 left-0 size-[7px] -translate-x-1/2 rounded-full border border-rail bg-panel data-[strong=true]:border-ink data-[strong=true]:bg-ink"
                data-strong={state.stage === 'final' || state.outcome === 'changed'}
              />
              <span className={state.stage === 'plugin' ? 'font-mono text-mono' : ''}>
                {stateName(state)}
              </span>{' '}
              <span className={state.outcome === 'failed' ? 'text-fail' : 'text-muted'}>
                {stateWords(state, states[n - 1])}
              </span>
            </li>
          ))}
        </ol>
        <PromptPart part="instructions" label="Instructions" words={instructions} value={instructions} />
        <ul aria-label="Tools">
          {tools.map(tool => (
            <li key={tool.name}>
              <PromptPart part={tool.name} words={tool.description ?? ''} value={tool} />
            </li>
          ))}
        </ul>
        <PromptMessages key={prompt.promptId} prompt={prompt} reveal={stepped.current} />
      </div>
    </div>
  )
}
