import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import type { ReactNode } from 'react'
import { PromptPart } from './prompt-part.tsx'
import { stateName, stateWords } from './state-words.ts'

type PromptBodyProps = {
  prompt: Pick<StoredPrompt, 'states' | 'instructions' | 'tools'>
  /** The messages of the prompt. */
  children: ReactNode
}

/** A prompt: how it was built, its instructions, its tools and its messages. */
export function PromptBody({ prompt: { states, instructions, tools }, children }: PromptBodyProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <ol data-hook="prompt-states" aria-label="How the prompt was built" className="px-4 pt-3 tabular-nums">
        {states.map((state, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the states of a prompt never change their order
          <li key={n} className="relative border-l border-l-rail pb-1 pl-3 last:pb-0">
            <span
              aria-hidden="true"
              className="absolute top-2 left-0 size-[7px] -translate-x-1/2 rounded-full border border-rail bg-panel data-[strong=true]:border-ink data-[strong=true]:bg-ink"
              data-strong={state.stage === 'final' || state.outcome === 'changed'}
            />
            <span className={state.stage === 'plugin' ? 'font-mono text-mono' : ''}>{stateName(state)}</span>{' '}
            <span className={state.outcome === 'failed' ? 'text-fail' : 'text-muted'}>
              {stateWords(state, states[n - 1])}
            </span>
          </li>
        ))}
      </ol>
      <p data-hook="states-about" className="border-b px-4 pt-1 pb-3 text-muted">
        These sizes are estimates without the tools.
      </p>
      <PromptPart part="instructions" label="Instructions" words={instructions} value={instructions} />
      <ul aria-label="Tools">
        {tools.map(tool => (
          <li key={tool.name}>
            <PromptPart part={tool.name} words={tool.description ?? ''} value={tool} />
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
