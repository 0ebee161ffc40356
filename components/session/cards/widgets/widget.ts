import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { FunctionComponent } from 'react'

/** What answers a call. While an answer is on its way everything in it is disabled from outside. */
export type WidgetProps = { call: Call; answer: (answer: Answer) => void; place: CardPlace }
export type Widget = FunctionComponent<WidgetProps>

/** Where a card stands. In a sheet its buttons stay at the bottom, under a thumb. */
export type CardPlace = 'dock' | 'inline' | 'sheet'
