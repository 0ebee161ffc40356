import { z } from 'zod'
import type { Tool } from './tool.ts'

const Output = z.object({
  timeZone: z.string().max(100),
  locale: z.string().max(100),
  location: z
    .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .optional()
})

/**
 * Returns data that only the user's browser knows. The browser answers it, and shares the location only after a click.
 */
export const clientInfo: Tool<{ location?: boolean }, z.infer<typeof Output>> = {
  name: 'client-info',
  description:
    "Get the user's time zone and locale from their browser. With location: true, also get their location if they allow it.",
  input: z.object({ location: z.boolean().optional() }),
  output: Output,
  where: 'browser',
  render: { kind: 'client-info' },
  title: () => 'Time zone and locale of the browser'
}
