import type { PreviewPrompt, PromptPreview } from '@waystation/protocol/session/prompt.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly previewPrompt: PromptPreviewer
  }
}

/** Returns the prompt of a session's next step, with plugins applied. Throws `CONFLICT` if there is no prompt. */
export type PromptPreviewer = (ctx: Ctx, input: PreviewPrompt) => Promise<PromptPreview>
