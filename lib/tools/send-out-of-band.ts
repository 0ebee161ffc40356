import { z } from 'zod'
import { OobTtl } from '#lib/protocol/oob-defaults.ts'
import { OobPriority, type OobReceipt } from '#lib/protocol/out-of-band.ts'
import type { Tool } from './tool.ts'

const Input = z.object({
  sessionId: z.string().trim().min(1).max(128).describe('The session whose agent is to know it.'),
  content: z.string().trim().min(1).max(8000).describe('What it should know, complete in itself.'),
  priority: OobPriority.default('normal').describe(
    'low: when it has finished. normal, high: before its next step. critical: before its next tool, also when it rests.'
  ),
  relatedTo: z.string().max(200).optional().describe('The ID of what it is about, if there is one.'),
  ttlSeconds: OobTtl.optional().describe(
    'If it is useless after some time: the seconds until it expires. Leave it out otherwise.'
  )
})
type Input = z.infer<typeof Input>

/** An agent tells another one something, in the middle of its work (004-10, 004-11). */
export const sendOutOfBand: Tool<Input, OobReceipt> = {
  name: 'send_out_of_band',
  description:
    'Tell the agent of another session of this workspace something that matters to what it does now, while it works. Nobody answers you here; do not use it to chat.',
  input: Input,
  where: 'server',
  title: input => `Tell ${input.sessionId}`,
  // Sent under the call's ID: again is the same message.
  repeatable: true,
  execute: (input, ctx) => ctx.tell(input)
}
