import type { PreviewPrompt, PromptPreview } from '@waystation/protocol/session/prompt.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** Returns the prompt of a session's next step, with plugins applied. Throws if a plugin stops it. */
    readonly previewPrompt: (ctx: Ctx, input: PreviewPrompt) => Promise<PromptPreview>
  }
}
