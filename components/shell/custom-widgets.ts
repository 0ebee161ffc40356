import type { CustomWidgets } from '#components/session/cards/widgets/custom-widgets.ts'

/** Your own cards in the playground, by tool. Add them here (docs/clients.md#custom-cards). */
export const customWidgets: CustomWidgets = {}
