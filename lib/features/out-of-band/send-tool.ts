import { OobTtl } from '@waystation/protocol/out-of-band/oob-defaults.ts'
import { OobPriority, type OobReceipt } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { z } from 'zod'
import type { Tool } from '#lib/tools/tool.ts'
import { sendToSession } from './send-to-session.ts'

const Input = z.object({
  sessionId: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .describe('The session whose agent receives the message, from list_sessions or a message.'),
  content: z.string().trim().min(1).max(8000).describe('The message. It must make sense on its own.'),
  priority: OobPriority.default('normal').describe(
    'low: delivered after the agent has finished. normal, high: before its next step. critical: before its next tool call, and wakes an idle agent.'
  ),
  relatedTo: z.string().max(200).optional().describe('The ID of what the message is about, if there is one.'),
  ttlSeconds: OobTtl.optional().describe(
    'Seconds until the message expires. Leave it out if the message stays useful.'
  )
})
type Input = z.infer<typeof Input>

/** The tool by which an agent sends a message to a working agent of another session (004-10, 004-11). */
export const sendOutOfBand: Tool<Input, OobReceipt> = {
  name: 'send_out_of_band',
  description:
    'Send a message to the agent of another session in this workspace while it works. Use this for information that affects its current work. You get no reply, so do not use it to chat.',
  input: Input,
  where: 'server',
  title: input => `Send a message to ${input.sessionId}`,
  // The call's ID is the idempotency key, so a retry sends no second message.
  repeatable: true,
  namesSession: true,
  execute: (input, { ctx, lease, call }) => sendToSession(ctx, lease, call, input)
}
