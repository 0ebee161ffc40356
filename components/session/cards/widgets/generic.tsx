import { Button } from '#components/ui/button.tsx'
import { Json } from '#components/ui/json.tsx'
import { Buttons } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/**
 * Shows a call that this page cannot answer (002-5). It names the client that must answer, and lets the user
 * report a failure. If the user does nothing, the call waits for that client until its deadline.
 */
export function GenericWidget({ call, answer }: WidgetProps) {
  const client = typeof call.render?.client === 'string' ? call.render.client : undefined
  return (
    <>
      <p role="note">
        This page can't answer <code className="font-mono text-mono">{call.toolName}</code>.{' '}
        {call.kind === 'client'
          ? `The call waits for ${client ?? 'the client that declared this tool'}. If that client can't answer, report the failure to the agent.`
          : `Answer calls of kind “${call.kind}” through the API, or report a failure to the agent.`}
      </p>
      <Json label="Arguments" value={call.input} />
      <Buttons>
        <Button
          tone="danger"
          onClick={() =>
            answer({ declined: true, ...(call.kind === 'client' ? { reason: failure(call.toolName) } : {}) })
          }
        >
          Report failure
        </Button>
      </Buttons>
    </>
  )
}

const failure = (toolName: string) =>
  `No client of this session could handle ${toolName}. A user ended the call.`
