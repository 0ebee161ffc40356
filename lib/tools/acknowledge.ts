import { z } from 'zod'
import { acknowledgeOob } from '#lib/engine/inbox/acknowledge-out-of-band.ts'
import type { Tool } from './tool.ts'

const Input = z.object({
  id: z.string().max(64).describe('The id attribute of the <out_of_band> element.'),
  effect: z.string().trim().min(1).max(500).describe('The effect on your work, in one sentence.')
})
type Input = z.infer<typeof Input>

/** The tool with which an agent acknowledges an out-of-band message (004-3). An agent has it after it received one. */
export const acknowledge: Tool<Input, { acknowledged: string }> = {
  name: 'acknowledge_out_of_band',
  description: 'Confirm that you have seen an out-of-band message, and state its effect on your work.',
  input: Input,
  where: 'server',
  title: () => 'Acknowledge',
  repeatable: true,
  async execute({ id, effect }, { ctx, lease }) {
    await acknowledgeOob(ctx, lease, id, effect)
    return { acknowledged: id }
  }
}
