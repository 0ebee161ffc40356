import { z } from 'zod'
import type { Tool } from '#lib/tools/tool.ts'
import { getSessionState } from './get-session-state.ts'
import { SessionState } from './seen-sessions.ts'

const Input = z.strictObject({
  sessionId: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .describe('The ID of a session, from list_sessions or a message.')
})
type Input = z.infer<typeof Input>

/** The tool by which an agent reads the state of a session, and the receipts of its messages to it (004-11). */
export const sessionStateTool: Tool<Input, SessionState> = {
  name: 'get_session_state',
  description:
    'Get the state of a session that you can see: its status, pending calls, last message, and your out-of-band messages to it with their acknowledgments.',
  input: Input,
  output: SessionState,
  where: 'server',
  title: input => `Read the state of ${input.sessionId}`,
  timeout: 10,
  repeatable: true,
  namesSession: true,
  execute: ({ sessionId }, { ctx, lease }) => getSessionState(ctx, lease, sessionId)
}
