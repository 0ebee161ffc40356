'use client'
import { Json } from '#components/session/json.tsx'
import { Button } from '#components/ui/button.tsx'
import { Buttons } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/**
 * A call that this page does not know (002-5): it says which client must answer, and lets a person end it as a
 * definite failure. Leaving it is fine too: it waits for that client until its deadline.
 */
export function GenericWidget({ call, answer, place }: WidgetProps) {
  const client = typeof call.render?.client === 'string' ? call.render.client : undefined
  return (
    <>
      <p role="note">
        This page has no widget for <code className="font-mono text-mono">{call.toolName}</code>.{' '}
        {call.kind === 'client'
          ? `It is answered by ${client ?? 'the client of this session that declared it'}. Leave it, and it waits for that; or tell the agent now that it failed.`
          : `It is a call of kind “${call.kind}”. Answer it over the API, or tell the agent now that it failed.`}
      </p>
      <Json label="Arguments" value={call.input} />
      <Buttons place={place}>
        <Button
          tone="danger"
          onClick={() =>
            answer({ declined: true, ...(call.kind === 'client' ? { reason: failure(call.toolName) } : {}) })
          }
        >
          Tell the agent it failed
        </Button>
      </Buttons>
    </>
  )
}

const failure = (toolName: string) => `No client of this session could handle ${toolName}. A person ended it.`
