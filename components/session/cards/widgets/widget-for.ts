import type { Call } from '@waystation/protocol/call/call.ts'
import { AgentWidget } from './agent.tsx'
import { ApprovalWidget } from './approval.tsx'
import { ClientInfoWidget } from './client-info.tsx'
import { ConnectWidget } from './connect.tsx'
import { ElicitWidget } from './elicit.tsx'
import { ExternalWidget } from './external.tsx'
import { GenericWidget } from './generic.tsx'
import { LimitWidget } from './limit.tsx'
import { QuestionWidget } from './question.tsx'
import type { Widget } from './widget.ts'

/** The widgets of a render hint or of a kind with the same name. */
const shared = {
  approval: ApprovalWidget,
  question: QuestionWidget,
  limit: LimitWidget,
  external: ExternalWidget
}

const byRender: Record<string, Widget> = { ...shared, connect: ConnectWidget, elicit: ElicitWidget }

const byTool: Record<string, Widget> = { 'ask-question': QuestionWidget, 'client-info': ClientInfoWidget }

const byKind: Partial<Record<Call['kind'], Widget>> = { ...shared, agent: AgentWidget }

/**
 * Returns the widget of a call: by its render hint, then by its tool, then by its kind (002-4). An unknown
 * call gets the generic widget, so that it never waits unnoticed (002-5). An approval always has the approval
 * widget.
 */
export function widgetFor(call: Call): Widget {
  const hinted = call.render === undefined ? undefined : byRender[call.render.kind]
  const own = call.kind === 'approval' ? undefined : (hinted ?? byTool[call.toolName])
  return own ?? byKind[call.kind] ?? GenericWidget
}
